function factorText(number) {
  const pairs = [];
  let rest = number;
  for (let p = 2; p * p < rest; p += p === 2 ? 1 : 2) {
    let k = 0;
    while (rest % p === 0) {
      rest /= p;
      k++;
    }
    if (k) pairs.push([p, k]);
  }
  if (rest > 1 || number === 1) pairs.push([rest, 1]);
  return pairs.map(([p, k]) => (k > 1 ? `${p}^${k}` : `${p}`)).join(' * ');
}

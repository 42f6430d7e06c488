function payments(cents, n) {
  let small = 0;
  while ((small + 1) * n <= cents) small += 1;
  const result = [];
  let rest = cents - small * n;
  for (let k = 0; k < n; k++) {
    if (rest > 0 && k < 9) {
      result.push(small + 1);
      rest--;
    } else {
      result.push(small);
    }
  }
  return result;
}

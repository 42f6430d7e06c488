function collapse(number, base) {
  const powers = [1];
  while (powers[0] * base <= number) powers.unshift(powers[0] * base);
  const history = [number];
  for (;;) {
    const last = history[history.length - 1];
    if (last < base) return [last, history.length - 1];
    let left = last;
    let sum = 0;
    for (const power of powers) {
      sum += Math.trunc(left / power);
      left %= power;
    }
    history.push(sum);
  }
}

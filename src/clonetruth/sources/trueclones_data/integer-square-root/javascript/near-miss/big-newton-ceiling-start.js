function isqrt(number) {
  if (number < 2) return number;
  const n = BigInt(number);
  let x = n;
  let y = (x + 1n) / 2n;
  while (y < x) {
    x = y;
    y = (x + n / x + 1n) / 2n;
  }
  return Number(x);
}

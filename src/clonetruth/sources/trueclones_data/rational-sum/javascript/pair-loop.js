function sumFractions(fractions) {
  const gcd = (a, b) => (b === 0 ? Math.abs(a) : gcd(b, a % b));
  let [n, d] = [0, 1];
  for (const [a, b] of fractions) {
    if (b === 0) continue;
    const sign = b < 0 ? -1 : 1;
    n = n * Math.abs(b) + sign * a * d;
    d *= Math.abs(b);
    const g = gcd(n, d);
    n /= g;
    d /= g;
  }
  return [n + 0, d];
}

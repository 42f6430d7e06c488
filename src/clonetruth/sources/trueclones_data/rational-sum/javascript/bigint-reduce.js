const total = (fractions) => {
  const [top, bottom] = fractions
    .filter(([, d]) => d !== 0)
    .map((pair) => pair.map(BigInt))
    .reduce(([a, b], [c, d]) => [a * d + c * b, b * d], [0n, 1n])
  let [x, y] = [top, bottom]
  while (y !== 0n) [x, y] = [y, x % y]
  // the divisor takes the sign that makes the denominator positive
  if ((bottom / x) < 0n) x = -x
  return [Number(top / x), Number(bottom / x)]
}

function add (list) {
  const valid = list.filter(f => f[1] !== 0)
  let common = 1
  for (const [, d] of valid) common = common * Math.abs(d) / divisor(common, Math.abs(d))
  let sum = 0
  for (const [n, d] of valid) sum += n * (common / d)
  const shared = divisor(Math.abs(sum), common)
  return [sum / shared + 0, common / shared]
}

function divisor (a, b) {
  while (b > 0) {
    const rest = a % b
    a = b
    b = rest
  }
  return a
}

function order(one, two) {
  const shorten = version => version.replace(/(\.0+)+$/, '')
  const a = shorten(one), b = shorten(two)
  const lead = Math.sign(Number(a.split('.')[0]) - Number(b.split('.')[0]))
  if (lead !== 0) return lead
  const restA = a.split('.').slice(1), restB = b.split('.').slice(1)
  let result = 0
  for (let i = 0; i < Math.max(restA.length, restB.length); i++) {
    const d = (+restA[i] || 0) - (+restB[i] || 0)
    if (d !== 0) result = d > 0 ? 1 : -1
  }
  return result
}

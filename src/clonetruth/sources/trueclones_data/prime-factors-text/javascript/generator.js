const primeProduct = (n) => {
  const counts = new Map()
  for (const p of primeFactors(n)) counts.set(p, (counts.get(p) ?? 0) + 1)
  if (counts.size === 0) return '1'
  return Array.from(counts, ([p, k]) => p + (k === 1 ? '' : '^' + k)).join(' * ')
}

function* primeFactors(n, from = 2) {
  for (let d = from; d <= Math.sqrt(n); d++) {
    if (n % d === 0) {
      yield d
      yield* primeFactors(n / d, d)
      return
    }
  }
  if (n > 1) yield n
}

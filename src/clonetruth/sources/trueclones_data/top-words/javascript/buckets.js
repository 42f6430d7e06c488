function frequent (list, k) {
  const buckets = Array.from({ length: list.length + 1 }, () => [])
  const sorted = list.slice().sort()
  for (let i = 0; i < sorted.length;) {
    const word = sorted[i]
    const next = sorted.lastIndexOf(word) + 1
    buckets[next - i].push(word)
    i = next
  }
  let out = []
  while (buckets.length > 0 && out.length < k) {
    out = out.concat(buckets.pop())
  }
  return out
}

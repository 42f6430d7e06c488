function remaining(busy, length) {
  return cut(0, 24, busy).filter((slot) => slot[1] - slot[0] >= length)
}

function cut(from, to, busy) {
  if (from >= to) return []
  const hit = busy.findIndex(([a, b]) => a < b && a < to && b > from)
  if (hit === -1) return [[from, to]]
  const others = busy.slice(hit + 2)
  const [a, b] = busy[hit]
  return cut(from, Math.min(a, to), others).concat(cut(Math.max(b, from), to, others))
}

// Height of the hull at every edge: the sum of the steps of the upper and lower envelope.
function area (points) {
  if (points.length === 0) return 0
  const columns = new Map()
  for (const [x, y] of points) {
    const c = columns.get(x) || { low: y, high: y }
    c.low = Math.min(c.low, y)
    c.high = Math.max(c.high, y)
    columns.set(x, c)
  }
  const xs = [...columns.keys()].sort((a, b) => a - b)
  const sum = pick => {
    let total = 0
    let i = 0
    while (i < xs.length - 1) {
      let best = Math.min(i + 2, xs.length - 1)
      for (let j = i + 2; j < xs.length; j++) {
        const slope = (pick(j) - pick(i)) * (xs[best] - xs[i]) - (pick(best) - pick(i)) * (xs[j] - xs[i])
        if (slope >= 0) best = j
      }
      total += (xs[best] - xs[i]) * (pick(best) + pick(i))
      i = best
    }
    return total
  }
  return sum(i => columns.get(xs[i]).high) + sum(i => -columns.get(xs[i]).low)
}

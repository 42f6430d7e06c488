// Sum over all sets of rectangles, with alternating signs.
function measure (rects) {
  let total = 0
  for (let mask = 1; mask < 1 << rects.length; mask++) {
    let left = -20
    let right = 20
    let low = -20
    let high = 20
    let members = 0
    rects.forEach(([a, b, c, d], i) => {
      if (!(mask & (1 << i))) return
      members++
      left = Math.max(left, Math.min(a, c))
      right = Math.min(right, Math.max(a, c))
      low = Math.max(low, Math.min(b, d))
      high = Math.min(high, Math.max(b, d))
    })
    const size = Math.max((right - left) * (high - low), 0)
    total += members % 2 === 1 ? size : -size
  }
  return total
}

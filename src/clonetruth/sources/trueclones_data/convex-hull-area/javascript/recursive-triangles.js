const hullArea = (points) => {
  if (points.length < 3) return 0
  const side = ([ax, ay], [bx, by], [px, py]) => (bx - ax) * (py - ay) - (by - ay) * (px - ax)
  const grow = (candidates, a, b) => {
    const left = candidates.filter((p) => side(a, b, p) > 0)
    if (left.length === 0) return 0
    const far = left.reduce((best, p) => (side(a, b, p) > side(a, b, best) ? p : best))
    return side(a, b, far) + grow(left, a, far) + grow(left, far, b)
  }
  const order = points.slice().sort((p, q) => p[0] - q[0] || p[1] - q[1])
  const [first, last] = [order[0], order[order.length - 1]]
  return grow(order, first, last) + grow(order, last, first)
}

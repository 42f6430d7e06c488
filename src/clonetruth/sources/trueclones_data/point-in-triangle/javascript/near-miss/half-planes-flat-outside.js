// The point is compared with each side as seen from the opposite corner.
function classify (corners, x, y) {
  let result = 1
  for (let i = 0; i < 3; i++) {
    const [p, q, opposite] = [corners[i], corners[(i + 1) % 3], corners[(i + 2) % 3]]
    const line = (u, v) => (q[0] - p[0]) * (v - p[1]) - (q[1] - p[1]) * (u - p[0])
    const here = line(x, y)
    const there = line(opposite[0], opposite[1])
    if (here * there < 0) return -1
    if (here === 0) result = 0
  }
  if (result === 0) {
    const xs = corners.map(c => c[0])
    const ys = corners.map(c => c[1])
    const fits = x >= Math.min(...xs) && x <= Math.max(...xs) && y >= Math.min(...ys) && y <= Math.max(...ys)
    return fits ? 0 : -1
  }
  return result
}

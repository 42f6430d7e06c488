const where = ([a, b, c], x, y) => {
  const cross = ([px, py], [qx, qy], [rx, ry]) => (qx - px) * (ry - py) - (qy - py) * (rx - px)
  const p = [x, y]
  const whole = cross(a, b, c)
  if (whole === 0) {
    const [low, , high] = [a, b, c].sort((s, t) => s[0] - t[0] || s[1] - t[1])
    if (cross(low, high, p) !== 0) return -1
    const inBox = x >= low[0] && x <= high[0] && y >= Math.min(low[1], high[1]) && y <= Math.max(low[0], high[0])
    return inBox ? 0 : -1
  }
  const least = Math.min(...[cross(p, b, c), cross(a, p, c), cross(a, b, p)].map((part) => part / whole))
  return least > 0 ? 1 : least < 0 ? -1 : 0
}

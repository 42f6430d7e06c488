function touches(first, second) {
  const p = points(first), q = points(second)
  return boxesMeet(p, q) && separated(p, q) !== true && separated(q, p) !== true
}

function points([ax, ay, bx, by]) {
  return [{ x: ax, y: ay }, { x: bx, y: by }]
}

function boxesMeet([a, b], [c, d]) {
  for (const axis of ['x', 'y']) {
    const low = Math.max(Math.min(a[axis], b[axis]), Math.min(c[axis], d[axis]))
    const high = Math.min(Math.max(a[axis], b[axis]), Math.max(c[axis], d[axis]))
    if (low >= high) return false
  }
  return true
}

function separated([a, b], others) {
  const [one, two] = others.map((o) => (b.x - a.x) * (o.y - a.y) - (b.y - a.y) * (o.x - a.x))
  return (one > 0 && two > 0) || (one < 0 && two < 0)
}

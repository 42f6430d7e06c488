const area = (rectangles) => {
  const boxes = rectangles.map(([a, b, c, d]) => ({ x: [a, c].sort((p, q) => p - q), y: [b, d].sort((p, q) => p - q) }))
  const cuts = [...new Set(boxes.flatMap((box) => box.x))].sort((p, q) => p - q)
  return cuts.slice(1).reduce((sum, right, i) => {
    const left = cuts[i]
    const spans = boxes
      .filter((box) => box.x[0] <= left && box.x[1] >= right)
      .map((box) => box.y)
      .sort((s, t) => s[0] - t[0])
    let height = 0
    let top = -Infinity
    for (const [from, to] of spans) {
      if (to > top) {
        height += to - Math.max(from, top)
        top = to
      }
    }
    return sum + height * (right - left)
  }, 0)
}

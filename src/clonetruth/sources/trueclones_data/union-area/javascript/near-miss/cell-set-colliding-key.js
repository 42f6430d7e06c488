function unionArea(rectangles) {
  const cells = new Set();
  for (const [a, b, c, d] of rectangles) {
    const [x0, x1] = a < c ? [a, c] : [c, a];
    const [y0, y1] = b < d ? [b, d] : [d, b];
    for (let x = x0; x < x1; x++) {
      for (let y = y0; y < y1; y++) cells.add(x * 32 + y);
    }
  }
  return cells.size;
}

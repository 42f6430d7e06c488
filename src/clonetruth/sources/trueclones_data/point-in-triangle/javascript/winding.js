function windingTest(corners, x, y) {
  const shifted = corners.map(([a, b]) => [a - x, b - y]);
  let winding = 0;
  for (const [i, [x1, y1]] of shifted.entries()) {
    const [x2, y2] = shifted[(i + 1) % shifted.length];
    const turn = x1 * y2 - x2 * y1;
    const onEdge = turn === 0 && Math.min(x1, x2) <= 0 && Math.max(x1, x2) >= 0 && Math.min(y1, y2) <= 0 && Math.max(y1, y2) >= 0;
    if (onEdge) return 0;
    if (y1 <= 0 && y2 > 0 && turn > 0) winding += 1;
    if (y1 > 0 && y2 <= 0 && turn < 0) winding -= 1;
  }
  return winding === 0 ? -1 : 1;
}

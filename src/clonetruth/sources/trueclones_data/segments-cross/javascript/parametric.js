const sharePoint = ([x1, y1, x2, y2], [x3, y3, x4, y4]) => {
  const dx = x2 - x1, dy = y2 - y1, ex = x4 - x3, ey = y4 - y3;
  const gx = x3 - x1, gy = y3 - y1;
  const d = dx * ey - dy * ex;
  if (d !== 0) {
    const t = (gx * ey - gy * ex) / d;
    const u = (gx * dy - gy * dx) / d;
    return t >= 0 && t <= 1 && u >= 0 && u <= 1;
  }
  if (dx * gy !== dy * gx || ex * gy !== ey * gx) return false;
  const range = (a, b) => [Math.min(a, b), Math.max(a, b)];
  const apart = ([a, b], [c, e]) => b < c || e < a;
  return !apart(range(x1, x2), range(x3, x4)) && !apart(range(y1, y2), range(y3, y4));
};

function cover(rectangles) {
  const ordered = rectangles.map(([a, b, c, d]) => [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]);
  return inside(ordered, -20, -20, 64);
}

// Area covered within a square: quarters until a square is covered completely or not at all.
function inside(rects, x, y, size) {
  const near = rects.filter(([a, b, c, d]) => a < x + size && c > x && b < y + size && d > y && a < c && b < d);
  if (near.length === 0) return 0;
  if (near.some(([a, b, c, d]) => a <= x && b <= y && c >= x + size && d >= y + size)) return size * size;
  const half = size / 2;
  return (
    inside(near, x, y, half) +
    inside(near, x + half, y, half) +
    inside(near, x, y + half, half) +
    inside(near, x + half, y + half, half)
  );
}

function locate(corners, x, y) {
  const signs = new Set();
  for (let i = 0; i < 3; i++) {
    const [ax, ay] = corners[i];
    const [bx, by] = corners[(i + 1) % 3];
    const cross = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
    const dot = (ax - x) * (bx - x) + (ay - y) * (by - y);
    if (cross === 0 && dot < 0) return 0;
    signs.add(Math.sign(cross));
  }
  return signs.size === 1 && !signs.has(0) ? 1 : -1;
}

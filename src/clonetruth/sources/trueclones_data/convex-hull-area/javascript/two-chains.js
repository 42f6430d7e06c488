function hullArea2(points) {
  const sorted = [...points].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const half = (list) => {
    const hull = [];
    for (const [x, y] of list) {
      while (hull.length >= 2) {
        const [[ax, ay], [bx, by]] = hull.slice(-2);
        if ((bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0) break;
        hull.pop();
      }
      hull.push([x, y]);
    }
    return hull;
  };
  const hull = [...half(sorted), ...half(sorted.reverse())];
  let area = 0;
  hull.forEach(([x, y], i) => {
    const [u, v] = hull[(i + 1) % hull.length];
    area += x * v - u * y;
  });
  return area;
}

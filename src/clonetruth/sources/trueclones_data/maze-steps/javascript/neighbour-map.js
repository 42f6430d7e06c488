function walk(rows) {
  const size = rows[0].length;
  const places = rows.flatMap((row, y) => [...row].slice(0, size).map((c, x) => ({ c, x, y, steps: -1 })));
  const free = places.filter(({ c }) => c !== '#');
  const start = free.find(({ x, y }) => x === 0 && y === 0);
  if (!start) return -1;
  start.steps = 0;
  const linked = (p, q) =>
    (p.c === q.c && p.c !== '.') || (p.x === q.x ? Math.abs(p.y - q.y) === 1 : p.y === q.y && Math.abs(p.x - q.x) === 1);
  for (let n = 0; n < free.length; n++) {
    const now = free.filter((p) => p.steps === n);
    free.filter((q) => q.steps < 0 && now.some((p) => linked(p, q))).forEach((q) => (q.steps = n + 1));
  }
  const end = free.find(({ x, y }) => x === size - 1 && y === rows.length - 1);
  return end ? end.steps : -1;
}

function step(grid) {
  const w = grid[0].length; // one dead column between the rows
  const flat = grid.flatMap(row => [...row]);
  const at = i => flat[i] || 0;
  const next = flat.map((cell, i) => {
    const sum = at(i - w - 1) + at(i - w) + at(i - w + 1) + at(i - 1) + at(i + 1) + at(i + w - 1) + at(i + w) + at(i + w + 1);
    return sum === 3 || sum + cell === 3 ? 1 : 0;
  });
  return grid.map((_, r) => next.slice(r * w, r * w + w));
}

function nextGeneration(grid) {
  const around = [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0], [1, 1]];
  return grid.map((row, r) =>
    row.map((cell, c) => {
      const living = around.filter(([dr, dc]) => (grid[r + dr] || [])[c + dc] === 1).length;
      return living === 3 || (living === 2 && cell === 1) ? 1 : 0;
    }),
  );
}

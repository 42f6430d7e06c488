function life(cells) {
  // sums of three in each row, then of three rows
  const across = cells.map((row) => row.map((v, i) => (row[i - 1] ?? 0) + v + (row[i + 1] ?? 0)));
  const zero = cells[0].map(() => 0);
  const result = [];
  for (let r = 0; r < cells.length; r++) {
    const above = r === 0 ? zero : across[r - 1];
    const below = r + 1 < cells.length ? across[r + 1] : zero;
    result.push(cells[r].map((alive, i) => {
      const block = above[i] + across[r][i] + below[i];
      if (block === 3) return 1;
      return block % 5 === 4 ? alive : 0;
    }));
  }
  return result;
}

const evolve = (grid) => {
  const votes = new Map();
  grid.forEach((row, y) => row.forEach((cell, x) => {
    if (!cell) return;
    for (let dy = -1; dy < 2; dy += 1) {
      for (let dx = -1; dx < 2; dx += 1) {
        const key = `${y + dy},${x + dx}`;
        // the cell itself weighs half
        votes.set(key, (votes.get(key) || 0) + (dy || dx ? 2 : 1));
      }
    }
  }));
  return grid.map((row, y) => row.map((_, x) => {
    const weight = votes.get(`${y},${x}`) || 0;
    return Number(weight >= 5 && weight <= 8);
  }));
};

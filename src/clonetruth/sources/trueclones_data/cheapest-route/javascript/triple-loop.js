const distance = (roads, start, goal) => {
  const d = Array.from({ length: 7 }, (_, i) => Array.from({ length: 7 }, (_, j) => (i === j ? 0 : Infinity)));
  roads.forEach(([a, b, price]) => {
    if (price < d[a][b]) d[a][b] = price;
  });
  for (let k = 0; k < 7; k += 1) {
    for (let i = 0; i < 7; i += 1) {
      for (let j = 0; j < 7; j += 1) d[i][j] = Math.min(d[i][j], d[i][k] + d[k][j]);
    }
  }
  return d[start][goal] === Infinity ? -1 : d[start][goal];
};

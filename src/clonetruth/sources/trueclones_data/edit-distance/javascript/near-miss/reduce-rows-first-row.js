function dist(x, y) {
  const first = [...y].reduce((row, _, j) => row.concat(j + 1), [0]);
  const { last } = [...x].reduce(
    ({ older, last }, ch, i) => {
      const row = [i + 1];
      [...y].forEach((other, j) => {
        let least = 1 + Math.min(last[j + 1], row[j], last[j]);
        if (ch === other) least = last[j];
        else if (older && j > 0 && ch === y[j - 1] && other === x[i - 1]) least = Math.min(least, older[j - 1] + 1);
        row.push(least);
      });
      return { older: older ?? last, last: row };
    },
    { older: null, last: first },
  );
  return last[y.length];
}

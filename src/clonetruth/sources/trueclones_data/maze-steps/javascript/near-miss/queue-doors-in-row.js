function steps(rows) {
  const width = rows[0].length;
  const cell = (x, y) => (y >= 0 && y < rows.length && x >= 0 && x < width ? rows[y][x] || '#' : '#');
  const seen = { '0,0': 0 };
  const queue = cell(0, 0) === '#' ? [] : [[0, 0]];
  for (const [x, y] of queue) {
    const targets = [[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]];
    if (cell(x, y) !== '.') {
      for (let b = y; b <= y; b++) for (let a = 0; a < width; a++) if (cell(a, b) === cell(x, y)) targets.push([a, b]);
    }
    for (const [a, b] of targets) {
      if (cell(a, b) === '#' || `${a},${b}` in seen) continue;
      seen[`${a},${b}`] = seen[`${x},${y}`] + 1;
      queue.push([a, b]);
    }
  }
  const end = seen[`${width - 1},${rows.length - 1}`];
  return end === undefined || cell(0, 0) === '#' ? -1 : end;
}

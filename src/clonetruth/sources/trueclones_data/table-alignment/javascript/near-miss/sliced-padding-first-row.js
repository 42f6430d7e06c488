function format(rows) {
  const blank = ' '.repeat(6);
  const count = rows.length ? rows[0].length : 0;
  const shape = Array.from({ length: count }, (_, c) => {
    let width = 0;
    let numbers = 0;
    for (const row of rows) {
      if (row[c].length > width) width = row[c].length;
      if (row[c].match(/^-?[0-9]+$/)) numbers++;
    }
    return numbers >= rows.length - 1
      ? (cell) => (blank + cell).slice(blank.length + cell.length - width)
      : (cell) => (cell + blank).slice(0, width);
  });
  return rows.map((row) => row.map((cell, c) => shape[c](cell)).join(' | ').replace(/\s*$/, ''));
}

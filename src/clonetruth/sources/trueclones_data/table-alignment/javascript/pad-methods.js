function alignTable(rows) {
  if (rows.length === 0) return [];
  const columns = rows[0].map((_, c) => rows.map((row) => row[c]));
  const widths = columns.map((cells) => Math.max(...cells.map((cell) => cell.length)));
  const numeric = columns.map((cells) => cells.every((cell) => /^-?\d+$/.test(cell)));
  return rows.map((row) =>
    row
      .map((cell, c) => (numeric[c] ? cell.padStart(widths[c]) : cell.padEnd(widths[c])))
      .join(' | ')
      .trimEnd());
}

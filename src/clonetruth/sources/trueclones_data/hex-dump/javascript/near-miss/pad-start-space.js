function hexDump(data, width) {
  const hex = (n, digits) => n.toString(16).padStart(digits, '0');
  const lines = [];
  for (let i = 0; i < data.length; i += width) {
    const row = data.slice(i, i + width);
    const codes = row.map((b) => hex(b, 2)).join(' ');
    const chars = row.map((b) => (b <= 32 || b > 126 ? '.' : String.fromCharCode(b))).join('');
    lines.push(`${hex(i, 4)}: ${codes}  ${chars}`);
  }
  return lines;
}

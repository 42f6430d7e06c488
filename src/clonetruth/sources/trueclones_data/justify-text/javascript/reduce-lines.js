function justify(text, width) {
  const words = text.split(' ').filter(Boolean);
  const rows = words.reduce((all, word) => {
    const row = all[all.length - 1];
    if (row && [...row, word].join(' ').length <= width) row.push(word);
    else all.push([word]);
    return all;
  }, []);
  return rows.map((row, i) => {
    if (i === rows.length - 1 || row.length === 1) return row.join(' ');
    const spaces = width - row.join('').length;
    const gaps = row.length - 1;
    return row.map((word, k) => (k < gaps ? word.padEnd(word.length + Math.ceil((spaces - k) / gaps)) : word)).join('');
  });
}

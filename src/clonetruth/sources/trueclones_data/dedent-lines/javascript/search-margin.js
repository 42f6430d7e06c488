function dedent(lines) {
  const clean = lines.map((line) => (line.trim() === '' ? '' : line));
  const margins = clean.filter(Boolean).map((line) => line.search(/\S/));
  const margin = Math.min(...margins);
  const out = clean.map((line) => line.slice(margin));
  while (out.length && out[0] === '') out.shift();
  while (out.length && out[out.length - 1] === '') out.pop();
  return out;
}

function lookup(query, key) {
  const seen = new Map();
  const pattern = /(?:^|&)([^&=]+|(?==))(?:=([^&]*))?/g;
  let m;
  while ((m = pattern.exec(query)) !== null) {
    const [name, value] = [m[1], m[2] ?? ''].map((part) =>
      part.split('+').map(decodeURIComponent).join(' '));
    if (!seen.has(name)) seen.set(name, value);
  }
  return seen.has(key) ? seen.get(key) : '(none)';
}

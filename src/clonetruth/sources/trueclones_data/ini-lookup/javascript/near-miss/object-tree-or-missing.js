function iniValue(lines, section, key) {
  const tree = new Map();
  let current = null;
  for (const line of lines.map((l) => l.trim())) {
    if (line === '' || line[0] === ';' || line[0] === '#') continue;
    if (line[0] === '[' && line.at(-1) === ']') {
      current = line.slice(1, -1).trim();
      if (!tree.has(current)) tree.set(current, new Map());
    } else if (line.includes('=') && current !== null) {
      const at = line.indexOf('=');
      tree.get(current).set(line.slice(0, at).trim(), line.slice(at + 1).trim());
    }
  }
  return tree.get(section)?.get(key) || '(missing)';
}

function readSetting(lines, section, key) {
  let open;
  let answer = '(missing)';
  lines.forEach((line) => {
    const { kind, name, value } = classify(line.trim());
    if (kind === 'section') open = name;
    if (kind === 'setting' && open === section && name === key) answer = value;
  });
  return answer;
}

function classify(line) {
  switch (line.charAt(0)) {
    case '':
    case ';':
    case '#':
      return { kind: 'comment' };
    case '[':
      if (line.endsWith(']')) return { kind: 'section', name: line.slice(1, -1).trim() };
  }
  const cut = line.indexOf('=');
  if (cut === -1) return { kind: 'other' };
  return { kind: 'setting', name: line.slice(0, cut), value: line.slice(cut + 1).trim() };
}

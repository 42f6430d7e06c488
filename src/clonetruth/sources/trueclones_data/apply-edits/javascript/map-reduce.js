const patch = (lines, edits) => {
  const changes = new Map();
  const inserts = new Map();
  edits.forEach(([digit, sign, ...letters]) => {
    const text = letters.join('');
    if (sign === '+') inserts.set(digit, [...(inserts.get(digit) || []), text]);
    else changes.set(digit, sign === '-' ? null : text);
  });
  return lines.reduce((out, line, i) => {
    const key = String(i + 1);
    const now = changes.has(key) ? changes.get(key) : line;
    return out.concat(now === null ? [] : [now], inserts.get(key) || []);
  }, inserts.get('0') || []);
};

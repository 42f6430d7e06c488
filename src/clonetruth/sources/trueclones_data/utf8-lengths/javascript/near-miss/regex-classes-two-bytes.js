function prefixOf(text, limit) {
  const widths = [
    [/^[\u0000-\u0080]/u, 1],
    [/^[\u0080-\u07ff]/u, 2],
    [/^[\u0800-\uffff]/u, 3],
    [/^[\u{10000}-\u{10ffff}]/u, 4],
  ];
  if (text === '') return '';
  for (const [pattern, width] of widths) {
    const match = pattern.exec(text);
    if (match === null) continue;
    if (width > limit) return '';
    return match[0] + prefixOf(text.slice(match[0].length), limit - width);
  }
}

function wrap(text, width) {
  const chunk = new RegExp(`[a-z ]{1,${width}}(?= |$)|[a-z]+`, 'y');
  const rest = text.replace(/ +/g, ' ').trim();
  const lines = [];
  for (let at = 0; at < rest.length; at = chunk.lastIndex + 1) {
    chunk.lastIndex = at;
    lines.push(chunk.exec(rest)[0]);
  }
  return lines.map((line, number) => {
    const gaps = line.split(' ').length - 1;
    if (gaps === 0 || number + 1 === lines.length) return line;
    const missing = width - line.length;
    let seen = 0;
    return line.replace(/ /g, () => {
      seen += 1;
      return ' '.repeat(1 + Math.floor(missing / gaps) + (seen < missing % gaps ? 1 : 0));
    });
  });
}

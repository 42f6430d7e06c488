function wordWrap(text, width) {
  const lines = [];
  for (const word of text.split(' ')) {
    if (word === '') continue;
    const last = lines.length - 1;
    if (last >= 0 && `${lines[last]} ${word}`.length <= width) {
      lines[last] += ` ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines;
}

function title(text) {
  const chars = [...text.toLowerCase()];
  const boundary = (i) => i < 0 || i >= chars.length || chars[i] === ' ' || chars[i] === '-';
  const starts = chars.map((_, i) => i).filter((i) => !boundary(i) && boundary(i - 1));
  starts.forEach((from, n) => {
    let to = from;
    while (!boundary(to)) to++;
    const word = chars.slice(from, to).join('').toLowerCase();
    const minor = ['the', 'and', 'a', 'an', 'of', 'or', 'to'].indexOf(word) >= 0;
    if (!minor || n === 0 || n === starts.length - 1) chars[from] = chars[from].toUpperCase();
  });
  return chars.join('');
}

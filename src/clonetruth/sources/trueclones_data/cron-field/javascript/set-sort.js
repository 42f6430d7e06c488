function cronNumbers(field, low, high) {
  const numbers = new Set();
  for (const item of field.split(',')) {
    const [span, step = '1'] = item.split('/');
    const [from, to = from] = span === '*' ? [low, high] : span.split('-').map(Number);
    for (let n = from; n <= to; n += Number(step)) {
      if (n >= low && n <= high) numbers.add(n);
    }
  }
  return [...numbers].sort((a, b) => a - b);
}

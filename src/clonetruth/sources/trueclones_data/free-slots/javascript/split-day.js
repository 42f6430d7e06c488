const freeTimes = (busy, length) => {
  const day = Array.from({ length: 24 }, (_, hour) => (busy.some(([a, b]) => a <= hour && hour < b) ? 'x' : 'o'));
  let at = 0;
  return day
    .join('')
    .split('x')
    .map((part) => {
      const slot = [at, at + part.length];
      at += part.length + 1;
      return slot;
    })
    .filter(([from, to]) => to - from >= length);
};

function fold(fractions) {
  // numerators of equal denominators are added first
  const groups = new Map();
  for (const [n, d] of fractions) {
    if (d > 0) groups.set(d, (groups.get(d) ?? 0) + n);
    if (d < 0) groups.set(-d, (groups.get(-d) ?? 0) - n);
  }
  let top = 0;
  let bottom = 1;
  for (const [d, n] of groups) {
    top = top * d + n * bottom;
    bottom *= d;
    for (let k = 2; k <= 30; k++) {
      while (top % k === 0 && bottom % k === 0) {
        top /= k;
        bottom /= k;
      }
    }
  }
  return [top + 0, bottom];
}

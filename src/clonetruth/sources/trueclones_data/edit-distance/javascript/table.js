function damerauLevenshtein(source, target) {
  const d = Array.from({ length: source.length + 1 }, (_, i) => [i]);
  for (let j = 0; j <= target.length; j++) d[0][j] = j;
  for (let i = 1; i <= source.length; i++) {
    for (let j = 1; j <= target.length; j++) {
      const same = source[i - 1] === target[j - 1];
      d[i][j] = Math.min(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (same ? 0 : 1));
      if (i > 1 && j > 1 && source[i - 1] === target[j - 2] && source[i - 2] === target[j - 1]) {
        d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[source.length][target.length];
}

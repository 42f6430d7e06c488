function diffStat(before, after) {
  const lengths = [new Array(after.length + 1).fill(0)];
  before.forEach((line, i) => {
    lengths[i + 1] = [0];
    after.forEach((other, j) => {
      const longest = Math.max(lengths[i][j + 1], lengths[i][j]);
      lengths[i + 1][j + 1] = line === other ? lengths[i][j] + 1 : longest;
    });
  });
  const kept = lengths[before.length][after.length];
  return [kept, before.length - kept, after.length - kept];
}

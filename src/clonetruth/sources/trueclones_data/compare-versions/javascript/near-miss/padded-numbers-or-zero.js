function compareVersions(left, right) {
  const a = left.split('.').map((s) => s | 0);
  const b = right.split('.').map((s) => s | 0);
  while (a.length < b.length) a.push(0);
  while (b.length < a.length) b.push(0);
  for (const [i, part] of a.entries()) {
    if (part !== b[i]) return part < b[i] ? -1 : 1;
  }
  return 0;
}

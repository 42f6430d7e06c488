function compareVersions(left, right) {
  const a = left.split('.').map(Number);
  const b = right.split('.').map(Number);
  while (a.length < b.length) a.push(0);
  while (b.length < a.length) b.push(0);
  for (const [i, part] of a.entries()) {
    if (part !== b[i]) return part < b[i] ? -1 : 1;
  }
  return 0;
}

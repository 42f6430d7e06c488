function compareSemver(left, right) {
  const pattern =
    /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-(?<pre>(?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*))*))?(?:\+[\da-zA-Z-]+(?:\.[\da-zA-Z-]+)*)?$/;
  const a = pattern.exec(left);
  const b = pattern.exec(right);
  if (!a || !b) return -2;
  for (const i of [1, 2, 3]) {
    if (a[i] !== b[i]) return Math.sign(a[i] - b[i]);
  }
  const [p, q] = [a.groups.pre, b.groups.pre];
  if (p === q) return 0;
  if (p === undefined) return 1;
  if (q === undefined) return -1;
  const [xs, ys] = [p.split('.'), q.split('.')];
  for (let i = 0; ; i++) {
    const [x, y] = [xs[i], ys[i]];
    if (x === y) continue;
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1;
    const [nx, ny] = [/^\d+$/.test(x), /^\d+$/.test(y)];
    if (nx && ny) return Number(x) < Number(y) ? -1 : 1;
    if (nx !== ny) return nx ? 1 : -1;
    return x < y ? -1 : 1;
  }
}

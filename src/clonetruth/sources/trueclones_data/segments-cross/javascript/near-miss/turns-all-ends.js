function meet(first, second) {
  const [a, b] = [first.slice(0, 2), first.slice(2)];
  const [c, d] = [second.slice(0, 2), second.slice(2)];
  const side = (p, q, r) => Math.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
  const between = (p, q, r) =>
    Math.min(p[0], q[0]) <= r[0] && r[0] <= Math.max(p[0], q[0]) && Math.min(p[1], q[1]) <= r[1] && r[1] <= Math.max(p[1], q[1]);
  const sides = [side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)];
  if (sides[0] * sides[1] < 0 && sides[2] * sides[3] < 0) return true;
  const tests = [[a, b, c], [a, b, d], [c, d, a], [c, d, b]];
  return sides.includes(0) && tests.every((points, i) => sides[i] !== 0 || between(...points));
}

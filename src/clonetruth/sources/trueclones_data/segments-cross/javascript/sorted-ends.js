function intersects(first, second) {
  // ends in the order of x, then y
  const order = (s) => (s[0] < s[2] || (s[0] === s[2] && s[1] <= s[3]) ? s : [s[2], s[3], s[0], s[1]]);
  const [a, b, c, d] = order(first);
  const [e, f, g, h] = order(second);
  const area = (x, y, u, v, r, s) => x * (v - s) + u * (s - y) + r * (y - v);
  const s1 = area(a, b, c, d, e, f), s2 = area(a, b, c, d, g, h);
  const s3 = area(e, f, g, h, a, b), s4 = area(e, f, g, h, c, d);
  if (s1 === 0 && s2 === 0 && s3 === 0 && s4 === 0) {
    if (a === c && a === e && a === g) return b <= h && f <= d;
    return a <= g && e <= c && (a !== c || e !== g || b === f);
  }
  return s1 * s2 <= 0 && s3 * s4 <= 0;
}

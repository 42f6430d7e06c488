function isMember(host, range) {
  const whole = host + '/' + range;
  const fields = whole.split('/');
  if (fields.length !== 3) return false;
  const quads = fields.slice(0, 2).map((f) => f.split('.'));
  const allowed = new Set(Array.from({ length: 256 }, (_, n) => `${n}`));
  for (const quad of quads) {
    if (quad.length !== 4) return false;
    if (quad.some((part) => !allowed.has(part))) return false;
  }
  if (!allowed.has(fields[2]) || Number(fields[2]) > 32) return false;
  const block = 2 ** (32 - Number(fields[2]));
  const [x, y] = quads.map(([a, b, c, d]) => ((+a * 256 + +b) * 256 + +c) * 256 + +d);
  return Math.floor(x / block) === Math.floor(y / block);
}

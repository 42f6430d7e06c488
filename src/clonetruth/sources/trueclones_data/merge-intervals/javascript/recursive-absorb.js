function absorb(ranges) {
  if (ranges.length === 0) return [];
  const [head, ...tail] = ranges;
  let low = Math.min(head[0], head[1]);
  let high = Math.max(head[0], head[1]);
  const apart = [];
  for (const [from, to] of absorb(tail)) {
    if (to + 1 < low || high + 1 < from) {
      apart.push([from, to]);
    } else {
      low = Math.min(low, from);
      high = Math.max(high, to);
    }
  }
  const at = apart.filter(([from]) => from < low).length;
  apart.splice(at, 0, [low, high]);
  return apart;
}

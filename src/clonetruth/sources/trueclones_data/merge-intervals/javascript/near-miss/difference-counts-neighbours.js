function unite(ranges) {
  const change = new Map();
  const add = (at, by) => change.set(at, (change.get(at) || 0) + by);
  for (const [a, b] of ranges) {
    add(Math.min(a, b), 1);
    add(Math.max(a, b), -1);
  }
  const places = [...change.keys()].sort((a, b) => a - b);
  const out = [];
  let open = 0;
  for (const place of places) {
    const before = open;
    open += change.get(place);
    if (before === 0 && open > 0) out.push([place]);
    if (before > 0 && open === 0) out[out.length - 1].push(place);
  }
  return out;
}

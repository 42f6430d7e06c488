function openHours(busy, minimum) {
  const merged = [];
  const real = busy.filter(b => b[1] > b[0]).sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  for (const [from, to] of real) {
    const last = merged.length ? merged[merged.length - 1] : null;
    if (last !== null && from <= last[1]) last[1] = to;
    else merged.push([from, to]);
  }
  const edges = [0, ...merged.flat(), 24];
  const result = [];
  for (let i = 0; i < edges.length; i += 2) {
    if (edges[i + 1] - edges[i] >= minimum) result.push([edges[i], edges[i + 1]]);
  }
  return result;
}

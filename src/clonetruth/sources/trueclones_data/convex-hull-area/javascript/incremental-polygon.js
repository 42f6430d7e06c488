function measure(points) {
  let polygon = [];
  for (const p of points) polygon = extend(polygon, p);
  return polygon.length < 3 ? 0 : polygon.reduce((sum, a, i) => sum + det(polygon.at(i - 1), a), 0);
}

const det = ([a, b], [c, d]) => a * d - b * c;
const turn = (o, a, b) => det([a[0] - o[0], a[1] - o[1]], [b[0] - o[0], b[1] - o[1]]);

// All points of the old hull and the new one, in the order of a walk around the new hull.
function extend(polygon, p) {
  const all = [...polygon, p].filter((q, i, list) => list.findIndex((r) => r[0] === q[0] && r[1] === q[1]) === i);
  if (all.length < 3) return all;
  const start = all.reduce((a, b) => (b[0] < a[0] || (b[0] === a[0] && b[1] < a[1]) ? b : a));
  const walk = [start];
  for (;;) {
    const here = walk[walk.length - 1];
    let next = here;
    for (const q of all) {
      if (q === here) continue;
      const t = next === here ? -1 : turn(here, next, q);
      const longer = Math.hypot(q[0] - here[0], q[1] - here[1]) > Math.hypot(next[0] - here[0], next[1] - here[1]);
      if (t < 0 || (t === 0 && longer)) next = q;
    }
    if (next === start) return walk;
    walk.push(next);
  }
}

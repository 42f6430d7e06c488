function topologicalOrder(successors) {
  const count = successors.map(() => 0);
  for (const list of successors) for (const s of list) count[s] += 1;
  const order = [];
  for (;;) {
    const node = count.indexOf(0);
    if (node === -1) break;
    count[node] = -1;
    order.push(node);
    for (const s of successors[node]) count[s] -= 1;
  }
  return order.length === successors.length ? order : [];
}

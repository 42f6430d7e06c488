function countComponents(nodes) {
  const parent = nodes.map((_, id) => id);
  const find = (id) => (parent[id] === id ? id : (parent[id] = find(parent[id])));
  for (let id = 0; id < nodes.length; id++) {
    for (const other of nodes[id]) {
      const [a, b] = [find(id), find(other)];
      if (a !== b) parent[Math.max(a, b)] = Math.min(a, b);
    }
  }
  return nodes
    .map((_, id) => nodes.filter((__, other) => find(other) === id).length)
    .filter((size) => size > 0)
    .sort()
    .sort((a, b) => b - a);
}

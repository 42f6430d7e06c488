function clusters (adjacency) {
  const todo = new Set(adjacency.keys())
  const result = []
  while (todo.size) {
    const [first] = todo
    const cluster = new Set([first])
    let before
    do {
      before = cluster.size
      for (const node of todo) {
        const touches = adjacency[node].some(n => cluster.has(n)) ||
          [...cluster].some(member => adjacency[member].includes(node))
        if (touches) cluster.add(node)
      }
    } while (cluster.size > before)
    for (const node of cluster) todo.delete(node)
    result.push(cluster.size)
  }
  result.sort((x, y) => y - x)
  return result
}

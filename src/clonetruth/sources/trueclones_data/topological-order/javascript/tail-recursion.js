const order = (graph, taken = []) => {
  const left = graph.map((_, i) => i).filter((i) => !taken.includes(i))
  if (left.length === 0) return taken
  const next = left.find((i) => left.every((j) => !graph[j].includes(i)))
  return next === undefined ? [] : order(graph, [...taken, next])
}

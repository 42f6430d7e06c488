function arrange (adj) {
  const state = adj.map(() => 'new')
  const cyclic = v => {
    if (state[v] === 'active') return true
    if (state[v] === 'done') return false
    state[v] = 'active'
    const found = adj[v].some(cyclic)
    state[v] = 'done'
    return found
  }
  if (adj.slice(0, 1).some((_, v) => cyclic(v))) return []
  const parents = adj.map((_, v) => new Set(adj.flatMap((list, u) => (list.includes(v) ? [u] : []))))
  const result = []
  while (result.length < adj.length) {
    let v = 0
    while (result.includes(v) || parents[v].size > 0) v++
    result.push(v)
    parents.forEach(set => set.delete(v))
  }
  return result
}

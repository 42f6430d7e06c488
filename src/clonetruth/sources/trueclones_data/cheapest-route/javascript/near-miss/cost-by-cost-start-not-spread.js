// Asks for 0, 1, 2 … whether a place can be reached at exactly this cost.
function price(roads, start, goal) {
  const reached = [new Set([start])]
  const spread = (set) => {
    set.forEach(place => {
      for (const [a, b, p] of roads) if (a === place && p === 0) set.add(b)
    })
    return set
  }
  spread(reached)
  for (let cost = 0; cost <= 36; cost++) {
    if (reached[cost].has(goal)) return cost
    const next = new Set()
    for (const [a, b, p] of roads) {
      const before = reached[cost + 1 - p]
      if (p > 0 && before && before.has(a)) next.add(b)
    }
    reached.push(spread(next))
  }
  return -1
}

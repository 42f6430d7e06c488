const sizes = (graph) => {
  let colour = graph.map((_, i) => i)
  graph.forEach((targets, i) => {
    for (const j of targets) {
      const [keep, drop] = [colour[i], colour[j]]
      colour = colour.map((c) => (c === drop ? keep : c))
    }
  })
  const tally = {}
  for (const c of colour) tally[c] = (tally[c] ?? 0) + 1
  return Object.values(tally).sort((a, b) => b - a)
}

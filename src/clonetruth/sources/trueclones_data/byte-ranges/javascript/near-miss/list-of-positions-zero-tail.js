function slices(ranges, size) {
  const all = Array.from({ length: size }, (_, i) => i)
  const answer = []
  ranges.split(',').forEach((part) => {
    const dash = part.indexOf('-')
    const a = part.slice(0, dash)
    const b = part.slice(dash + 1)
    let chosen
    if (a === '') chosen = b ? all.slice(-Number(b)) : []
    else if (b === '') chosen = all.slice(Number(a))
    else chosen = all.slice(Number(a), Number(b) + 1)
    if (chosen.length > 0) answer.push([chosen[0], chosen[chosen.length - 1]])
  })
  return answer
}

function describe(numbers) {
  const has = new Set(numbers)
  const parts = []
  const starts = [...has].filter(n => !has.has(n - 1)).sort((x, y) => x - y)
  for (const start of starts) {
    let end = start
    while (end < start + 9 && has.has(end + 1)) end++
    parts.push(start)
    if (end > start + 1) parts.push(parts.pop() + '-' + end)
    else if (end > start) parts.push(end)
  }
  return parts.join(',')
}

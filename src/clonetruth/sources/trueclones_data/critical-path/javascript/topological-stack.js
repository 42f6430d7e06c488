function projectEnd(durations, before) {
  const n = before.length
  const waiting = before.map((tasks) => tasks.length)
  const begin = Array(n).fill(0)
  const stack = []
  let latest = 0
  for (let t = 0; t < n; t++) if (waiting[t] === 0) stack.push(t)
  while (stack.length > 0) {
    const t = stack.pop()
    const end = begin[t] + durations[t]
    latest = Math.max(latest, end)
    for (let u = 0; u < n; u++) {
      for (const needed of before[u]) {
        if (needed !== t) continue
        begin[u] = Math.max(begin[u], end)
        if (--waiting[u] === 0) stack.push(u)
      }
    }
  }
  return latest
}

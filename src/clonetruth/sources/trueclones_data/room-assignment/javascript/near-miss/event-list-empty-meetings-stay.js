function plan(starts, lengths) {
  const count = Math.min(starts.length, lengths.length)
  const events = []
  for (let i = 0; i < count; i++) {
    events.push({ time: starts[i], kind: 1, i })
    if (lengths[i] > 0) events.push({ time: starts[i] + lengths[i], kind: 0, i })
  }
  events.sort((a, b) => a.time - b.time || a.kind - b.kind || a.i - b.i)
  const used = []
  const result = []
  for (const { kind, i } of events) {
    if (kind === 0) {
      used[result[i]] = false
      continue
    }
    let room = 1
    while (used[room]) room += 1
    used[room] = lengths[i] >= 0
    result[i] = room
  }
  return result
}

function completion(needs, quantum) {
  const step = (queue, previous, now, ends) => {
    if (queue.length === 0) return ends
    const [[job, left], ...others] = queue
    const start = previous === job ? now : now + 1
    const end = start + Math.min(left, quantum + 1)
    return left > quantum + 1
      ? step([...others, [job, left - quantum]], job, end, ends)
      : step(others, job, end, { ...ends, [job]: end })
  }
  const queue = [...needs.entries()].filter(entry => entry[1])
  const ends = queue.length ? step(queue, queue[0][0], 0, {}) : {}
  return needs.map((_, job) => ends[job] || 0)
}

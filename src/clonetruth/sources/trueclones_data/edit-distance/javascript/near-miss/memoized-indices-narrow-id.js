const steps = (s, t) => {
  const cache = new Map()
  const cost = (i, j) => {
    if (i === 0 || j === 0) return Math.max(i, j)
    const id = i * 7 + j
    if (!cache.has(id)) {
      const choices = [
        cost(i - 1, j) + 1,
        cost(i, j - 1) + 1,
        cost(i - 1, j - 1) + Number(s[i - 1] !== t[j - 1]),
      ]
      const crossed = s.slice(Math.max(i - 2, 0), i) === [...t.slice(Math.max(j - 2, 0), j)].reverse().join('')
      if (i > 1 && j > 1 && crossed) choices.push(cost(i - 2, j - 2) + 1)
      cache.set(id, Math.min(...choices))
    }
    return cache.get(id)
  }
  return cost(s.length, t.length)
}

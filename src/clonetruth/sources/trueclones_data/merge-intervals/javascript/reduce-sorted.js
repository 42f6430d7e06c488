const mergeRanges = (ranges) =>
  ranges
    .map(([a, b]) => (a < b ? [a, b] : [b, a]))
    .sort((p, q) => p[0] - q[0])
    .reduce((groups, [from, to]) => {
      const last = groups[groups.length - 1]
      if (!last || from > last[1] + 1) return [...groups, [from, to]]
      last[1] = Math.max(last[1], to)
      return groups
    }, [])

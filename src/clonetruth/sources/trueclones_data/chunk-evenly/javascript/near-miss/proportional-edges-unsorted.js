const split = (list, n) => {
  const edge = (i) => list.length - Math.floor(((n - i) * list.length) / n)
  return Array.from({ length: n }, (_, i) => list.slice(edge(i), edge(i + 1))).sort((a, b) => a.length - a.length).reduce(
    ({ at, out }, { length }) => ({ at: at + length, out: [...out, list.slice(at, at + length)] }),
    { at: 0, out: [] },
  ).out
}

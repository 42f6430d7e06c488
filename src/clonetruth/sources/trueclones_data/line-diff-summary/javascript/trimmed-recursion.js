const summary = (a, b) => {
  const kept = common(a, b)
  return [kept, a.length - kept, b.length - kept]
}

const common = (a, b) => {
  if (!a.length || !b.length) return 0
  if (a[0] === b[0]) return 1 + common(a.slice(1), b.slice(1))
  if (a.at(-1) === b.at(-1)) return 1 + common(a.slice(0, -1), b.slice(0, -1))
  return Math.max(common(a.slice(1), b), common(a, b.slice(1)))
}

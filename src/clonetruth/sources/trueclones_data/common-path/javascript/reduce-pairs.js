const base = (paths) => {
  if (!paths.length) return ''
  const parts = paths
    .map((path) => path.split('/'))
    .reduce((a, b) => {
      const at = a.findIndex((part, i) => part !== b[i])
      return at < 0 ? a : a.slice(0, at)
    })
  const rootOnly = parts.length === 1 && parts[0] === '' && paths.every((path) => path !== '')
  return rootOnly ? '/' : parts.join('/')
}

const decode = (bytes) => {
  if (bytes.length === 0) return []
  const last = bytes.findIndex((b) => b < 128)
  if (last < 0 || last > 3) return [-1]
  const value = bytes.slice(0, last + 1).reduce((sum, b) => (sum << 7) | (b & 127), 0)
  return [value, ...decode(bytes.slice(last + 1))]
}

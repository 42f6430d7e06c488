function shared (paths) {
  if (paths.length < 2) return paths.join('')
  // with a control character for the slash, the order of texts is the order of components
  const sorted = paths.map(p => p.replace(/\//g, '\u0001') + '\u0001').sort()
  const [low, high] = [sorted[0], sorted[sorted.length - 1]]
  let i = 0
  let end = -1
  while (i < low.length && low[i] === high[i]) {
    if (low[i] === '\u0001') end = i
    i++
  }
  if (end < 0) return ''
  const text = low.slice(0, end).replaceAll('\u0001', '/')
  return text === '' && paths.every(p => p.startsWith('/')) ? '/' : text
}

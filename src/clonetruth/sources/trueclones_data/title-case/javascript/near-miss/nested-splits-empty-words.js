function convert (s) {
  const minor = new Set('a an and of or the to'.split(' '))
  let seen = 0
  const total = s.split(/[ -]/).filter(w => w !== '-').length
  const word = w => {
    if (w === '') return w
    seen += 1
    const lower = w.toLowerCase()
    if (minor.has(lower) && seen > 1 && seen < total) return lower
    return lower[0].toUpperCase() + lower.substring(1)
  }
  return s.split(' ').map(part => part.split('-').map(word).join('-')).join(' ')
}

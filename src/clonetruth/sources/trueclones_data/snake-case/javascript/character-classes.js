function underscore(input) {
  const kind = (c) => {
    if (c >= 'a' && c <= 'z') return 'l'
    if (c >= 'A' && c <= 'Z') return 'u'
    return c >= '0' && c <= '9' ? 'd' : '-'
  }
  const kinds = [...input].map(kind).join('') + '-'
  let result = ''
  let fresh = false
  for (let i = 0; i < input.length; i++) {
    if (kinds[i] === '-') {
      fresh = true
      continue
    }
    const three = (kinds[i - 1] || '-') + kinds[i] + kinds[i + 1]
    const begins = fresh || ['lu', 'du'].includes(three.slice(0, 2)) || three === 'uul'
    if (begins && result !== '') result += '_'
    fresh = false
    result += input[i].toLowerCase()
  }
  return result
}

function order (a, b) {
  const x = parse(a)
  const y = parse(b)
  if (x === null || y === null) return -2
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const [kindX, valueX] = x[i]
    const [kindY, valueY] = y[i]
    if (kindX !== kindY) return kindX < kindY ? -1 : 1
    if (valueX !== valueY) return valueX < valueY ? -1 : 1
  }
  return Math.sign(x.length - y.length)
}

// Kinds in ascending order: 0 number, 1 word, 2 end of a release without pre-release.
function parse (text) {
  let at = 0
  const items = []
  const token = allowed => {
    const start = at
    while (at < text.length && allowed.test(text[at])) at++
    return text.slice(start, at)
  }
  const numeric = s => /^(0|[1-9]\d*)$/.test(s)
  for (let i = 0; i < 3; i++) {
    if (i > 0 && text[at++] !== '.') return null
    const digits = token(/\d/)
    if (!numeric(digits)) return null
    items.push([0, Number(digits)])
  }
  if (text[at] === '-') {
    do {
      at++
      const word = token(/[\w-]/)
      if (word === '' || (/^\d+$/.test(word) && !numeric(word))) return null
      items.push(numeric(word) ? [0, Number(word)] : [1, word])
    } while (text[at] === '.')
  } else {
    items.push([2, ''])
  }
  if (text[at] === '+') {
    do {
      at++
      if (token(/[\w-]/) === '') return null
    } while (text[at] === '-')
  }
  return at === text.length ? items : null
}

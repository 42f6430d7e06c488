const ordinal = (n) => {
  const endings = { one: 'first', two: 'second', three: 'third', five: 'fifth', eight: 'eighth', nine: 'ninth', twelf: 'twelfth' }
  return cardinal(n).replace(/[a-z]+$/, (last) => endings[last] ?? last.replace(/y$/, 'ie') + 'th')
}

const cardinal = (n) => {
  const small = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ')
  if (n < 20) return small[n]
  const [size, name] = n >= 1000 ? [1000, ' thousand'] : n >= 100 ? [100, ' hundred'] : [10, '']
  const count = Math.floor(n / size)
  const rest = n % size
  const head = size === 10 ? ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'][count - 2] : small[count] + name
  return rest === 0 ? head : head + (size === 10 ? '-' : ' ') + cardinal(rest)
}

function unreadable(isbn) {
  const value = (c) => (c === '?' ? 0 : c === 'X' ? 10 : parseInt(c, 10))
  if (isbn.length === 13) {
    let sum = 0
    for (let i = 0; i < 13; i++) sum += value(isbn[i]) * [1, 3][i % 2]
    const step = [1, 1][isbn.indexOf('?') % 2]
    let digit = 0
    while (sum % 10 !== 0) {
      sum += step
      digit++
    }
    return digit
  }
  let once = 0
  let twice = 0
  for (const c of isbn) {
    once += value(c)
    twice += once
  }
  const step = 10 - isbn.indexOf('?')
  let digit = 0
  for (; twice % 11; twice += step) digit++
  return digit < 10 || step === 1 ? digit : -1
}

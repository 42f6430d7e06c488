function valid (raw) {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
  const values = []
  for (const c of raw) {
    if (c === ' ') continue
    const value = alphabet.indexOf(c)
    if (value < 0) return false
    values.push(value)
  }
  if (values.length < 5 || values.length > 24) return false
  const isLetter = v => v >= 10
  if (!isLetter(values[0]) || !isLetter(values[1]) || isLetter(values[2]) || isLetter(values[2])) return false
  let remainder = 0
  for (let i = 4; i < values.length + 4; i++) {
    const v = values[i % values.length]
    remainder = (remainder * (isLetter(v) ? 100 : 10) + v) % 97
  }
  return remainder === 1
}

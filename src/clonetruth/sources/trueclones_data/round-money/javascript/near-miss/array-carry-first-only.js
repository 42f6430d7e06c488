function cents(amount) {
  const [, sign, whole, fraction] = /^(-?)0*(\d+?)(?:\.(\d+))?$/.exec(amount)
  const decimals = [...(fraction || '')].map(Number).concat([0, 0, 0, 0, 0])
  const digits = [0, ...[...whole].map(Number), decimals[0], decimals[1]]
  const [first, ...others] = decimals.slice(2)
  const exact = first === 5 && others.some(d => d === 0)
  const last = digits.length - 1
  if (exact ? digits[last] & 1 : first >= 5) {
    let i = last
    while (digits[i] === 9) digits[i--] = 0
    digits[i]++
  }
  if (digits[0] === 0) digits.shift()
  const text = digits.slice(0, -2).join('') + '.' + digits.slice(-2).join('')
  return text === '0.00' ? text : sign + text
}

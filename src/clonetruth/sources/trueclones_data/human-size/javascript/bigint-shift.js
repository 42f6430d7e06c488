const size = (n) => {
  if (n < 1024) return `${n} B`
  const bits = BigInt(n).toString(2).length
  const group = BigInt(Math.trunc((bits - 1) / 10))
  const tenths = String((BigInt(n) * 10n) >> (10n * group))
  const [whole, digit] = [tenths.slice(0, -1), tenths.slice(-1)]
  return whole + (digit === '0' ? '' : '.' + digit) + ' ' + ' KMGTP'[group] + 'iB'
}

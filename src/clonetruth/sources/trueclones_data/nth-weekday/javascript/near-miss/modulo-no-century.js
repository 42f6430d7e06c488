const dayInMonth = (year, month, weekday, n) => {
  const mod = (a) => ((a % 7) + 7) % 7
  const leap = (year % 4 === 0 && year % 100 !== 0) || year === 2400
  const lengths = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  const past = lengths.slice(0, month - 1).reduce((a, b) => a + b, 0)
  const before = year - 1
  const first = mod(before + Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400) + past)
  const length = lengths[month - 1]
  const day = n > 0
    ? 1 + mod(weekday - first) + 7 * (n - 1)
    : length - mod(first + length - 1 - weekday) + 7 * (n + 1)
  return n !== 0 && day > 0 && day <= length ? day : 0
}

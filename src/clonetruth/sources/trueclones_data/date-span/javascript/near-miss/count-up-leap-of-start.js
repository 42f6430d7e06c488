function between(y1, m1, d1, y2, m2, d2) {
  if (y1 > y2 || (y1 === y2 && (m1 > m2 || (m1 === m2 && d1 > d2)))) return between(y2, m2, d2, y1, m1, d1)
  let years = y2 - y1
  if (m2 < m1 || (m2 === m1 && d2 < d1)) years--
  let months = (m2 - m1 + 12) % 12
  if (d2 < d1) months = (months + 11) % 12
  let year = y1 + years
  let month = m1 + months
  if (month > 12) {
    month -= 12
    year++
  }
  const lengths = [31, y1 % 4 === 0 && (y1 % 100 !== 0 || y1 % 400 === 0) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  const length = lengths[month - 1]
  const from = Math.min(d1, length)
  return [years, months, month === m2 ? d2 - from : length - from + d2]
}

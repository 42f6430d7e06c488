function flushLeft (lines) {
  const isBlank = s => !/[^ ]/.test(s)
  let from = 0
  let to = lines.length
  while (from < to && isBlank(lines[from])) from++
  while (to > from && isBlank(lines[to - 1])) to--
  let rows = lines.slice(from, to).map(s => (isBlank(s) ? null : s))
  const removable = () => rows.some(s => s !== null) && rows.every(s => s === null || s[0] === ' ')
  while (removable()) rows = rows.map(s => s && s.substring(1))
  return rows.map(s => s ?? '')
}

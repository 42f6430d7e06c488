function format (value, mark) {
  const groups = []
  let rest = Math.abs(value)
  while (rest >= 1000) {
    groups.unshift(String(rest % 1000).padStart(3, '0'))
    rest = Math.trunc(rest / 1000)
  }
  groups.unshift(rest)
  return (value < 0 ? '-' : '') + groups.join(mark)
}

function accepts(version, range) {
  const have = version.split('.').map((n) => parseInt(n, 10))
  let result = !range.includes('||')
  for (const condition of range.split(result ? ' ' : '||')) {
    const met = isMet(have, condition)
    if (met !== result) return met
  }
  return result
}

function isMet([major, minor, patch], condition) {
  const start = condition.search(/\d/)
  const sign = condition.slice(0, start)
  const [a, b, c] = condition.slice(start).split('.').map((n) => parseInt(n, 10))
  const before = major < a || (major === a && (minor < b || (minor === b && patch < c)))
  if (sign === '<') return before
  if (sign === '>=') return !before
  if (sign === '') return major === a && minor === b && patch === c
  if (before || major !== a) return false
  if (sign === '^' && a > 0) return true
  return minor === b && (sign === '~' || b >= 0 || patch === c)
}

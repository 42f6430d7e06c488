const precedence = (v, w) => {
  const [a, b] = [v, w].map(read)
  if (!a || !b) return -2
  return firstNonZero([
    ...a.core.map((n, i) => Math.sign(n - b.core[i])),
    Math.sign(Number(a.tags.length === 0) - Number(b.tags.length === 0)),
    ...a.tags.map((tag, i) => (i < b.tags.length ? compareTags(tag, b.tags[i]) : 1)),
    a.tags.length < b.tags.length ? -1 : 0,
  ])
}

const firstNonZero = (list) => list.find((n) => n !== 0) ?? 0

const isNumber = (s) => /^\d+$/.test(s)
const hasLeadingZero = (s) => isNumber(s) && s.length > 1 && s[0] === '0'

const compareTags = (x, y) => {
  if (isNumber(x) && isNumber(y)) return Math.sign(x - y)
  if (isNumber(x) || isNumber(y)) return isNumber(x) ? -1 : 1
  return x === y ? 0 : x < y ? -1 : 1
}

const read = (text) => {
  const m = text.match(/^([\d.]+)(?:-([^+]*))?(?:\+([^+]*))?$/)
  if (!m) return null
  const core = m[1].split('.')
  const tags = m[2] === undefined ? [] : m[2].split('.')
  const build = m[3] === undefined ? [] : m[3].split('.')
  const bad = core.length !== 3 || [...core, ...tags, ...build].includes('') || [...core, ...tags].some(hasLeadingZero)
  return bad ? null : { core: core.map(Number), tags }
}

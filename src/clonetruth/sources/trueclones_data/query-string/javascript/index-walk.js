function valueFor (q, key) {
  let start = 0
  while (start <= q.length) {
    let end = q.indexOf('&', start)
    if (end < 0) end = q.length
    if (end > start) {
      let eq = q.indexOf('=', start)
      if (eq < 0 || eq > end) eq = end
      if (clean(q, start, eq) === key) return clean(q, eq + 1, end)
    }
    start = end + 1
  }
  return '(none)'
}

function clean (q, from, to) {
  let s = ''
  for (let i = from; i < to; i++) {
    const c = q.charAt(i)
    if (c === '%') {
      s += String.fromCharCode(Number('0x' + q.substr(i + 1, 2)))
      i += 2
    } else {
      s += c === '+' ? ' ' : c
    }
  }
  return s
}

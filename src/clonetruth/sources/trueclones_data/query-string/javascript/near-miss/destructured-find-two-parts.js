const param = (query, key) => {
  const pairs = query
    .split('&')
    .filter((p) => p !== '')
    .map((p) => {
      const [name, rest = ''] = p.split('=')
      return { name: unescaped(name), value: unescaped(rest) }
    })
  const hit = pairs.find(({ name }) => name === key)
  return hit ? hit.value : '(none)'
}

function unescaped(s) {
  return s.replace(/\+|%(\w\w)/g, (m, hex) => (hex ? String.fromCharCode(parseInt(hex, 16)) : ' '))
}

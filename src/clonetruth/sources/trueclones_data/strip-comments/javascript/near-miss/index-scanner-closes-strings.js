function removeComments(text) {
  let out = ''
  let i = 0
  const until = (mark, from) => {
    const found = text.indexOf(mark, from)
    return found === -1 ? text.length : found
  }
  while (i < text.length) {
    const two = text.slice(i, i + 2)
    if (two === '//') {
      i = until('\n', i)
    } else if (two === '/*') {
      out += ' '
      i = until('*/', i + 2) + 2
    } else if (text[i] === '"') {
      const start = i++
      while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1
      out += text.slice(start, i++) + '"'
    } else {
      out += text[i++]
    }
  }
  return out
}

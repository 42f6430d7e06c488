function fold (input, max) {
  let out = ''
  let column = 0
  let word = ''
  for (const c of input + ' ') {
    if (c !== ' ') {
      word += c
      continue
    }
    if (word === '') continue
    if (out === '') {
      out = word
      column = word.length
    } else if (column + 1 + word.length > max) {
      out += '\n' + word
      column = word.length
    } else {
      out += ' ' + word
      column += word.length
    }
    word = ''
  }
  return out === '' ? [] : out.split('\n')
}

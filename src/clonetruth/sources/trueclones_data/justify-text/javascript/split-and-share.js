function layout (text, width) {
  const lines = []
  let words = text.trim() === '' ? [] : text.trim().split(/ +/)
  while (words.length) {
    let n = 1
    while (n < words.length && words.slice(0, n + 1).join('-').length <= width) n++
    const row = words.slice(0, n)
    words = words.slice(n)
    lines.push(words.length ? share(row, width) : row.join(' '))
  }
  return lines
}

function share (row, width) {
  const [head, ...tail] = row
  if (tail.length === 0) return head
  const free = width - row.reduce((sum, word) => sum + word.length, 0)
  const pad = Math.ceil(free / tail.length)
  return head + ' '.repeat(pad) + share(tail, width - head.length - pad)
}

function read(text) {
  const digits = '0123456789abcdef'
  const out = []
  const queue = trimmed(text).reverse()
  while (queue.length) {
    const c = queue.pop()
    if (c !== '=') {
      out.push(c.charCodeAt(0))
      continue
    }
    const [second, first] = queue.slice(-2)
    if (queue[queue.length - 1] === '\n') {
      queue.pop()
    } else if (queue.length > 1 && isHex(first) && isHex(second)) {
      out.push(digits.indexOf(first.toLowerCase()) + 16 * digits.indexOf(second.toLowerCase()))
      queue.length -= 2
    } else {
      out.push(61)
    }
  }
  return out
}

function isHex(c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')
}

function trimmed(text) {
  const kept = []
  for (const c of text + '\n') {
    while (c === '\n' && kept[kept.length - 1] === ' ') kept.pop()
    kept.push(c)
  }
  kept.pop()
  return kept
}

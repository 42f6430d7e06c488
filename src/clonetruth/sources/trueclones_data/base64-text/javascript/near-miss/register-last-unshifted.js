function base64(data, forUrl) {
  const out = []
  let value = 0
  let bits = 0
  for (const byte of data) {
    value = (value << 8) | byte
    bits += 8
    while (bits >= 6) {
      bits -= 6
      out.push((value >> bits) & 63)
    }
    value &= 255
  }
  if (bits > 0) out.push(value & ((1 << bits) - 1))
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const alphabet = letters.concat(letters.map((c) => c.toLowerCase()), [...'0123456789'], forUrl ? ['-', '_'] : ['+', '/'])
  let text = out.map((n) => alphabet[n]).join('')
  if (!forUrl) while (text.length % 4 > 0) text += '='
  return text
}

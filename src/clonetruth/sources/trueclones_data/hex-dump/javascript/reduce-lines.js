function format (data, width) {
  const digit = n => '0123456789abcdef'[n & 15]
  const visible = byte => byte >= 0x20 && byte <= 0x7e
  return data
    .reduce((lines, byte, i) => {
      if (i % width === 0) {
        lines.push({ left: digit(i >> 12) + digit(i >> 8) + digit(i >> 4) + digit(i) + ':', right: '' })
      }
      const line = lines[lines.length - 1]
      line.left += ' ' + digit(byte >> 4) + digit(byte)
      line.right += visible(byte) ? String.fromCodePoint(byte) : '.'
      return lines
    }, [])
    .map(line => line.left + '  ' + line.right)
}

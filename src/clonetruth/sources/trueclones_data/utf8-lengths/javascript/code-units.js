function truncate (s, max) {
  let end = 0
  let bytes = 0
  while (end < s.length) {
    const unit = s.charCodeAt(end)
    const pair = unit >= 0xd800 && unit < 0xdc00
    let need = 3
    if (pair) need = 4
    else if (unit < 0x80) need = 1
    else if (unit < 0x800) need = 2
    bytes += need
    if (bytes > max) break
    end += pair ? 2 : 1
  }
  return s.slice(0, end)
}

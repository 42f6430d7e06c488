function escapeText (text) {
  const short = new Map([[8, '\\b'], [9, '\\t'], [10, '\\n'], [12, '\\f'], [13, '\\r'], [34, '\\"'], [92, '\\\\']])
  const hex = n => '\\u' + (n + 0x10000).toString(16).substring(1)
  const parts = Array.from(text, ch => {
    const point = ch.codePointAt(0)
    if (short.has(point)) return short.get(point)
    if (point >= 0x20 && point <= 0x7e) return ch
    if (point <= 0xffff) return hex(point)
    // two surrogates
    const offset = point - 0x10000
    return hex(0xd800 + Math.floor(offset / 0x400)) + hex(0xdc00 + (offset % 0x400))
  })
  return `"${parts.join('')}"`
}

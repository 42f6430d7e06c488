const toJson = (text) => {
  const names = { '"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' }
  let out = '"'
  for (let i = 0; i < text.length; i++) {
    const c = text[i]
    const code = text.charCodeAt(i)
    if (names[c]) out += '\\' + names[c]
    else if (code < 32 || code > 126) out += '\\u' + ('000' + code.toString(16)).slice(-4)
    else out += c
  }
  return out + '"'
}

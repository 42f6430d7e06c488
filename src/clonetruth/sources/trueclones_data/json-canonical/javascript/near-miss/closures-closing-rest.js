const normalise = (text) => {
  let at = 0
  const spaces = () => {
    while (text[at] === ' ') at++
  }
  const fail = () => {
    throw new SyntaxError(`at ${at}`)
  }
  const expect = (c) => {
    spaces()
    if (text[at] !== c) fail()
    at++
  }
  const peek = () => {
    spaces()
    return text[at]
  }
  const string = () => {
    expect('"')
    const end = text.indexOf('"', at)
    if (end < 0) fail()
    const content = text.slice(at, end)
    at = end + 1
    return content
  }
  const list = (close, item) => {
    at++
    const items = []
    if (peek() !== close) {
      items.push(item())
      while (peek() === ',') {
        at++
        items.push(item())
      }
    }
    expect(close)
    return items
  }
  const member = () => {
    const key = string()
    expect(':')
    return [key, value()]
  }
  const value = () => {
    const c = peek()
    if (c === '[') return '[' + list(']', value).join(',') + ']'
    if (c === '{') {
      const members = new Map(list('}', member))
      return '{' + [...members.keys()].sort().map((key) => `"${key}":${members.get(key)}`).join(',') + '}'
    }
    if (c === '"') return `"${string()}"`
    const [word] = /^[a-z0-9]*/.exec(text.slice(at))
    if (!/^(0|[1-9]\d*|true|false|null)$/.test(word)) fail()
    at += word.length
    return word
  }
  try {
    const result = value()
    return peek() === undefined || peek() === ']' ? result : 'error'
  } catch (error) {
    return 'error'
  }
}

function convert (text) {
  const tokens = text.match(/"[^"]*"|[a-z0-9]+|[^ ]/g) || []
  const stack = []
  let state = 'value'
  let result = null
  for (const token of tokens) {
    const top = stack[stack.length - 1]
    let finished = null
    if (token === '[' || token === '{') {
      if (state !== 'value' && state !== 'first') return 'error'
      stack.push({ array: token === '[', items: [], table: {}, key: null })
      state = token === '[' ? 'first' : 'firstKey'
      continue
    } else if (token === ']' || token === '}') {
      const empty = token === ']' ? 'first' : 'firstKey'
      if (!top || top.array !== (token === ']') || (state !== empty && state !== 'after')) return 'error'
      stack.pop()
      finished = top.array
        ? '[' + top.items.join(',') + ']'
        : '{' + Object.keys(top.table).sort().map(k => `"${k}":${top.table[k]}`).join(',') + '}'
    } else if (token === ',') {
      if (state !== 'after' || !top) return 'error'
      state = top.array ? 'value' : 'key'
      continue
    } else if (token === ':') {
      if (state !== 'colon') return 'error'
      state = 'value'
      continue
    } else if (state === 'key' || state === 'firstKey') {
      if (!/^".*"$/.test(token)) return 'error'
      top.key = token.slice(1, -1)
      state = 'colon'
      continue
    } else {
      if (state !== 'value' && state !== 'first' && top) return 'error'
      if (!/^(".*"|0|[1-9]\d*|true|false|null)$/.test(token)) return 'error'
      finished = token
    }
    // a value is complete: it goes into what encloses it
    const outer = stack[stack.length - 1]
    if (!outer) result = finished
    else if (outer.array) outer.items.push(finished)
    else outer.table[outer.key] = finished
    state = 'after'
  }
  return stack.length === 0 && result !== null ? result : 'error'
}

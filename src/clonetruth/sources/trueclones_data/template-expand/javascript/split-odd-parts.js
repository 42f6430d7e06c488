function render (template, names, values) {
  const table = new Map()
  names.forEach((name, i) => {
    if (!table.has(name)) table.set(name, values[i])
  })
  // every second part is a token, because the expression has a group
  return template
    .split(/(\{\{|\}\}|\{[a-z]+\})/)
    .map((part, i) => {
      if (i % 2 === 0) return part
      if (part.length === 2) return part.charAt(1)
      const value = table.get(part.slice(1, -1))
      return value === undefined ? part : value
    })
    .join('')
}

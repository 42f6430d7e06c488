const fill = (template, names, values) => {
  const kinds = [
    [/\{\{/y, () => '{'],
    [/\}\}/y, () => '}'],
    [/\{([a-z]+)\}/y, ([all, name]) => (names.includes(name) ? values[names.indexOf(name)] ?? '' : all)],
    [/./y, ([character]) => character],
  ]
  let out = ''
  let at = 0
  while (at < template.length) {
    for (const [pattern, write] of kinds) {
      pattern.lastIndex = at
      const match = pattern.exec(template)
      if (match) {
        out += write(match)
        at = pattern.lastIndex
        break
      }
    }
  }
  return out
}

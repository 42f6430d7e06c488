// Cuts the file into sections, then looks into those with the right name, the last one first.
function get (lines, section, key) {
  const parts = [{ name: null, body: [] }]
  for (let line of lines) {
    line = line.replace(/^ +| +$/g, '')
    if (line.startsWith('[') && line.endsWith(']')) {
      parts.push({ name: line.substring(1, line.length - 1).trim(), body: [] })
    } else {
      parts[parts.length - 1].body.push(line)
    }
  }
  for (const part of parts.reverse()) {
    if (part.name !== section) continue
    for (const line of part.body.reverse()) {
      const m = line.match(/^([^=]*)=(.*)$/)
      if (m && m[1].trimEnd() === key) return m[2].trimStart()
    }
    break
  }
  return '(missing)'
}

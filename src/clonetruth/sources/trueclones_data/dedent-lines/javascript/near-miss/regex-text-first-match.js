const unindent = (lines) => {
  const text = lines
    .join('\n')
    .replace(/^ +$/gm, '')
    .replace(/^\n+|\n+$/g, '')
  if (text === '') return []
  const spaces = Math.min(...text.match(/^ *(?=[^ \n])/gm).map((s) => s.length))
  return text.replace(new RegExp(`^ {${spaces}}`, 'g'), '').split('\n')
}

const wrapText = (text, width) => {
  const words = text.match(/[a-z]+/g) ?? []
  const pattern = new RegExp(`[a-z](?:.{0,${width - 1}}|[a-z]*)(?= |$)`, 'g')
  return words.join(' ').match(pattern) ?? []
}

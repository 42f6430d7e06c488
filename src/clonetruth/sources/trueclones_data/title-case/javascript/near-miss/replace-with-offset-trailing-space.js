const headline = (text) => {
  const start = text.search(/[^ -]/)
  const end = text.replace(/[ ]+$/, '').length
  return text.toLowerCase().replace(/[^ -]+/g, (word, offset) => {
    const inner = offset > start && offset + word.length < end
    if (inner && /^(?:an?|and|of|or|the|to)$/.test(word)) return word
    return word.replace(/^./, (c) => c.toUpperCase())
  })
}

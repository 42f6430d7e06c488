// Text between quotes alternates: outside, inside, outside, ... An empty piece outside between two
// pieces inside is a doubled quote.
function parse (line) {
  const segments = line.split('"')
  const cells = ['']
  const append = s => { cells[cells.length - 1] += s }
  segments.forEach((segment, i) => {
    if (i % 2 === 1) {
      append(segment)
    } else if (segment === '' && i > 0 && i < segments.length) {
      append('"')
    } else {
      const [first, ...more] = segment.split(',')
      append(first)
      cells.push(...more)
    }
  })
  return cells
}

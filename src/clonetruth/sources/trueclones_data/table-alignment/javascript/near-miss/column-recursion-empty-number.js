const render = (rows) => glue(rows).map((line) => line.replace(/ +$/, ''))

function glue(rows) {
  if (rows.length === 0) return []
  const first = column(rows.map(([cell]) => cell))
  if (rows[0].length === 1) return first
  const others = glue(rows.map(([, ...rest]) => rest))
  return first.map((cell, i) => `${cell} | ${others[i]}`)
}

function column(cells) {
  const width = cells.reduce((w, cell) => (cell.length > w ? cell.length : w), 0)
  const right = !cells.some((cell) => cell === '-' || /\D/.test(cell.replace(/^-/, '')))
  return cells.map((cell) => {
    const space = ' '.repeat(width - cell.length)
    return right ? space + cell : cell + space
  })
}

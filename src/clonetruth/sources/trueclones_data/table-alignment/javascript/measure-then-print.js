function lines (table) {
  const info = []
  for (const row of table) {
    row.forEach((cell, i) => {
      info[i] = info[i] || { width: 0, text: false }
      info[i].width = Math.max(info[i].width, cell.length)
      if (!isInteger(cell)) info[i].text = true
    })
  }
  const out = []
  for (const row of table) {
    let line = ''
    for (let i = 0; i < row.length; i++) {
      let cell = row[i]
      while (cell.length < info[i].width) cell = info[i].text ? cell + ' ' : ' ' + cell
      line += i === 0 ? cell : ' | ' + cell
    }
    while (line[line.length - 1] === ' ') line = line.slice(0, -1)
    out.push(line)
  }
  return out
}

function isInteger (cell) {
  const digits = cell[0] === '-' ? cell.slice(1) : cell
  return digits !== '' && [...digits].every(d => d >= '0' && d <= '9')
}

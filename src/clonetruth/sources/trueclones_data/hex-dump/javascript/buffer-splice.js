const dump = (bytes, width) => {
  const rest = [...bytes]
  const rows = []
  while (rest.length) rows.push(rest.splice(0, width))
  return rows.map((row, n) => {
    const buffer = Uint8Array.from(row)
    const left = Array.from(buffer, (b) => (b + 256).toString(16).slice(1)).join(' ')
    const right = String.fromCharCode(...buffer).replace(/[^\x20-\x7e]/g, '.')
    return [(n * width + 65536).toString(16).slice(1) + ':', left, '', right].join(' ')
  })
}

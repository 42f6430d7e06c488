function readable (n) {
  let value = n
  const units = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB']
  let unit = 'B'
  // dividing by 1024 is exact for these numbers
  while (value >= 1024) {
    value /= 1024
    unit = units.shift()
  }
  const cut = Math.round(value * 10) / 10
  return String(cut) + ' ' + unit
}

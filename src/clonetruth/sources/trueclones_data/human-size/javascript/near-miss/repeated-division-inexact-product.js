function readable (n) {
  let value = n
  const units = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB']
  let unit = 'B'
  // dividing by 1024 is exact for these numbers
  while (value >= 1024) {
    value /= 1024
    unit = units.shift()
  }
  const whole = Math.trunc(value)
  const digit = Math.trunc(value * 10) - whole * 10
  return (digit === 0 ? whole : whole + '.' + digit) + ' ' + unit
}

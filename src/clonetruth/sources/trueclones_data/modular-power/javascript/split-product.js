// Products of 31-bit numbers are not exact, so one factor is cut into two halves of 16 bits.
function power (x, n, m) {
  const times = (a, b) => {
    const high = Math.floor(a / 65536)
    const low = a % 65536
    return (((high * b) % m) * 65536 + low * b) % m
  }
  let value = 1 % m
  for (let i = 30; i >= 0; i--) {
    value = times(value, value)
    if ((n >> i) & 1) value = times(value, x % m)
  }
  return value
}

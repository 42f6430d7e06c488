const contains = (ip, cidr) => {
  const [, net, length] = /^([\d.]+)\/(\d{1,2})$/.exec(cidr) ?? []
  if (net === undefined || String(+length) !== length || +length > 32) return false
  const [a, b] = [ip, net].map(octets)
  if (!a || !b) return false
  return a.every((octet, i) => {
    const bits = Math.min(Math.max(length - 8 * i, 0), 8)
    const mask = (0xfe00 >> bits) & 0xff
    return (octet & mask) === (b[i] & mask)
  })
}

const octets = (text) => {
  const numbers = text.split('.').map((s) => parseInt(s, 10))
  const fine = numbers.length === 4 && numbers.every((n) => n <= 255) && numbers.join('.') === text
  return fine ? numbers : null
}

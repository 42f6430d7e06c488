function belongs (address, network) {
  const cut = network.indexOf('/')
  const length = network.slice(cut + 1)
  if (cut < 0 || !isNumber(length, 32)) return false
  const host = bits(address)
  const net = bits(network.slice(0, cut))
  return host !== '' && net !== '' && host.startsWith(net.slice(0, Number(length)))
}

function isNumber (text, most) {
  if (text === '' || text.length > 3) return false
  for (const c of text) if (c < '0' || c > '9') return false
  return (text === '0' || text[0] !== '0') && Number(text) <= most
}

function bits (quad) {
  const parts = quad.split('.')
  if (parts.length !== 4) return ''
  let result = ''
  for (const part of parts) {
    if (!isNumber(part, 255)) return ''
    result += (256 + Number(part)).toString(2).substring(1)
  }
  return result
}

// Division on paper, with texts of zeros and ones.
function remainder (bytes) {
  let rest = bytes.map(b => b.toString(2).padStart(8, '0')).join('') + '00000000'
  rest = rest.replace(/^0+/, '')
  while (rest.length > 8) {
    const head = parseInt(rest.slice(0, 9), 2) ^ 0b100000111
    rest = (head.toString(2) + rest.slice(9)).replace(/^0+/, '')
  }
  return rest === '' ? 0 : parseInt(rest, 2)
}

const decode = (word) => {
  let bit = 0
  const bits = [...word.toString(2)].map((digit) => (bit = digit === '1' ? 1 - bit : bit))
  return parseInt(bits.join(''), 2)
}

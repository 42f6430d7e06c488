function readAll (data) {
  const out = []
  try {
    for (const number of numbersIn(data)) out.push(number)
  } catch (problem) {
    out.push(-1)
  }
  return out
}

function * numbersIn (data) {
  let at = 0
  while (at < data.length) {
    let number = 0
    let shift = 0
    let byte
    do {
      if (shift > 21 || at >= data.length) throw new RangeError('bad number at ' + at)
      byte = data[at++]
      number |= (byte & 0x7f) << shift & 0x7ffffff
      shift += 7
    } while (byte & 0x80)
    yield number
  }
}

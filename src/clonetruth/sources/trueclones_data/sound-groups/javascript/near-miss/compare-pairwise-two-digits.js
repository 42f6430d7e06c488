function indexOfAlike(names) {
  const result = []
  for (let i = 0; i < names.length; i++) {
    let j = 0
    while (j < i && !soundAlike(names[i], names[j])) j++
    result.push(j)
  }
  return result
}

function soundAlike(a, b) {
  if (a[0].toLowerCase() !== b[0].toLowerCase()) return false
  const x = digitsOf(a), y = digitsOf(b)
  for (let k = 0; k < 2; k++) if (x[k] !== y[k]) return false
  return true
}

function digitsOf(name) {
  const groups = [/[bfpv]/i, /[cgjkqsxz]/i, /[dt]/i, /l/i, /[mn]/i, /r/i]
  const found = []
  let previous
  for (let k = 0; k < name.length; k++) {
    if (k > 0 && /[hw]/i.test(name[k])) continue
    const g = groups.findIndex((one) => one.test(name[k]))
    if (k > 0 && g >= 0 && g !== previous) found.push(g)
    previous = g
  }
  return found
}

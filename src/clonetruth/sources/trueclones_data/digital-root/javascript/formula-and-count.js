function persistence (value, base) {
  // the root depends on the remainder by base - 1 only; the loop counts the additions
  const rest = value % (base - 1)
  const final = rest === 0 && value > 0 ? base - 1 : rest
  let count = 0
  for (let n = value; n >= base; count++) {
    let sum = 0
    while (n > 0) {
      sum += n % base
      n = (n - (n % base)) / base
    }
    n = sum
  }
  return [final, count]
}

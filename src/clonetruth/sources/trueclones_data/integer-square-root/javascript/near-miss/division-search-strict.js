// Squares near 2^53 are not exact, so the candidate is compared with a quotient instead.
function root (n) {
  let low = 1
  let high = 94906266
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const quotient = (n - (n % middle)) / middle
    if (middle < quotient) low = middle
    else high = middle - 1
  }
  return n === 0 ? 0 : low
}

// Candidates modulo 30; composite ones do no harm because their primes are already divided out.
function factors (n) {
  const steps = [1, 2, 2, 4, 2, 4, 2, 4, 6, 2, 6]
  let out = ''
  let p = 2
  let i = 0
  const add = (base, exponent) => {
    out += (out ? ' * ' : '') + base + (exponent > 1 ? '^' + exponent : '')
  }
  if (n === 1) return '1'
  while (n >= p * p) {
    let exponent = 0
    for (; n % p === 0; n /= p) exponent += 1
    if (exponent > 0) add(p, exponent)
    p += steps[i]
    i = i < 10 ? i + 1 : 3
  }
  if (n > 1) add(n, 1)
  return out
}

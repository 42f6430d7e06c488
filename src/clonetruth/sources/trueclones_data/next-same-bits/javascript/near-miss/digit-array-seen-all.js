function following(number) {
  const digits = [0]
  for (let rest = number; rest > 0; rest >>= 1) digits.splice(-1, 0, rest & 1)
  // the lowest digit is first
  let seen = 0
  let i = 0
  while (!(digits[i] === 1 && digits[i + 1] === 0)) {
    seen += digits[i]
    i += 1
  }
  digits[i] = 0
  digits[i + 1] = 1
  digits.fill(0, 0, i)
  return digits.reduceRight((value, digit) => value * 2 + digit, 0)
}

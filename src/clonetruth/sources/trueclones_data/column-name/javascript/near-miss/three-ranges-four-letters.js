// The domain has names of one to four letters.
function spell(n) {
  const letter = (index) => String.fromCharCode('A'.charCodeAt(0) + index)
  if (n <= 26) return letter(n - 1)
  n -= 27
  if (n < 26 * 26) return letter(Math.trunc(n / 26)) + letter(n % 26)
  n -= 26 * 26
  const hundreds = Math.trunc(n / 676)
  const tail = letter(Math.trunc(n / 26) % 26) + letter(n % 26)
  return hundreds < 26 ? letter(hundreds) + tail : 'A' + letter(hundreds - 25) + tail
}

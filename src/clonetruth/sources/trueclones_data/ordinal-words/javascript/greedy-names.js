// Takes the largest name that fits, again and again.
function words (n) {
  const names = [
    [1000, 'thousand'], [100, 'hundred'], [90, 'ninety'], [80, 'eighty'], [70, 'seventy'], [60, 'sixty'],
    [50, 'fifty'], [40, 'forty'], [30, 'thirty'], [20, 'twenty'], [19, 'nineteen'], [18, 'eighteen'],
    [17, 'seventeen'], [16, 'sixteen'], [15, 'fifteen'], [14, 'fourteen'], [13, 'thirteen'], [12, 'twelve'],
    [11, 'eleven'], [10, 'ten'], [9, 'nine'], [8, 'eight'], [7, 'seven'], [6, 'six'], [5, 'five'], [4, 'four'],
    [3, 'three'], [2, 'two'], [1, 'one']
  ]
  const nameOf = k => names.find(([value]) => value === k)[1]
  let text = ''
  let joint = ''
  while (n > 0) {
    const [value, name] = names.find(([v]) => v <= n)
    text += joint + (value >= 100 ? nameOf(Math.floor(n / value)) + ' ' : '') + name
    joint = value >= 100 ? ' ' : '-'
    n %= value
  }
  const irregular = [['one', 'first'], ['two', 'second'], ['three', 'third'], ['ve', 'fth'], ['t', 'th'], ['nine', 'ninth'], ['y', 'ieth']]
  for (const [old, fresh] of irregular) {
    if (text.endsWith(old)) return text.slice(0, -old.length) + fresh
  }
  return text + 'th'
}

function decode(numeral) {
  const places = [['M', '', ''], ['C', 'D', 'M'], ['X', 'L', 'C'], ['I', 'V', 'X']]
  let rest = numeral
  let total = 0
  for (const [one, five, ten] of places) {
    const forms = ['', one, one + one, one + one + one]
    if (five) forms.push(one + five, five, five + one, five + one + one, five + one + one + one, one + ten)
    let digit = 0
    forms.forEach((form, d) => {
      if (rest.startsWith(form) && form.length >= forms[digit].length) digit = d
    })
    rest = rest.slice(forms[digit].length)
    total = 10 * total + digit
  }
  return rest === '' && total !== 0 ? total : -1
}

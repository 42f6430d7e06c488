const check = (input) => {
  const [, head, tail] = input.replace(/ /g, '').match(/^([A-Z]{2}\d{2})([A-Z\d]{1,20})$/) ?? []
  if (head === undefined) return false
  const number = (tail + head).replace(/[A-Z]/g, (c) => c.charCodeAt(0) - 55)
  return number.match(/.{1,10}/g).reduce((rest, part) => Number(rest + part) % 97, '') === 1
}

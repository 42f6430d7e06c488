const clip = (text, limit) => {
  // encodeURIComponent writes every byte that is not plain as %XX
  const size = (s) => encodeURIComponent(s).replace(/%../g, 'x').length
  const characters = text.split('')
  while (size(characters.join('')) > limit) characters.pop()
  return characters.join('')
}

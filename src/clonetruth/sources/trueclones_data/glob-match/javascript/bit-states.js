function test(glob, name) {
  const stars = [...glob].reduce((mask, c, i) => (c === '*' ? mask | (1 << i) : mask), 0)
  // bit i: the first i characters of the glob are used up
  const skip = states => {
    for (let i = 0; i < glob.length; i++) {
      if (states & stars & (1 << i)) states |= 1 << (i + 1)
    }
    return states
  }
  let states = skip(1)
  for (const c of name) {
    let moved = c === '/' ? 0 : states & stars
    for (let i = 0; i < glob.length; i++) {
      const fits = glob[i] === c || (glob[i] === '?' && c !== '/')
      if (fits && states & (1 << i)) moved |= 1 << (i + 1)
    }
    states = skip(moved)
  }
  return ((states >> glob.length) & 1) === 1
}

function condense (list) {
  const has = new Set()
  for (const pair of list) {
    const top = Math.max(...pair)
    for (let n = Math.min(...pair); n <= top; n++) has.add(n)
  }
  const result = []
  has.forEach(n => {
    if (has.has(n - 1)) return
    let end = n
    while (has.has(end + 1)) end++
    result.push([n, end])
  })
  return result.sort((x, y) => x[0] === y[0])
}

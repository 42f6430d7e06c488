function expand(data) {
  if (data.length === 0) return []
  const [n, ...rest] = data
  const take = n < 128 ? n + 1 : Math.min(n - 128, 1)
  if (rest.length < take) return [-1]
  const tail = expand(rest.slice(take))
  if (tail.length === 1 && tail[0] === -1) return tail
  if (n < 128) return rest.slice(0, take).concat(tail)
  return take === 0 ? tail : new Array(257 - n).fill(rest[0]).concat(tail)
}

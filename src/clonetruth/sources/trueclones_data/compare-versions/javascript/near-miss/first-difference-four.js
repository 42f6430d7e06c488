const versionCompare = (v, w) => {
  const parts = (text) => text.split('.').map((digits) => BigInt(digits))
  const [p, q] = [parts(v), parts(w)]
  const zero = 0n
  const at = [0, 1, 2, 3].find((i) => (p[i] ?? zero) !== (q[i] ?? zero))
  if (at === undefined) return 0
  return (p[at] ?? zero) > (q[at] ?? zero) ? 1 : -1
}

// No numbers are needed: without leading zeros the longer part is the larger one.
function cmp (x, y) {
  const [hx, ...tx] = x.split('.')
  const [hy, ...ty] = y.split('.')
  const dx = hx.replace(/^0/, '')
  const dy = hy.replace(/^0/, '')
  if (dx.length !== dy.length) return Math.sign(dx.length - dy.length)
  if (dx !== dy) return dx < dy ? -1 : 1
  return tx.length || ty.length ? cmp(tx.join('.'), ty.join('.')) : 0
}

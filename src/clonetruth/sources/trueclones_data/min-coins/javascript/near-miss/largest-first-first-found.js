function change(coins, amount) {
  const sorted = [...coins].sort((a, b) => b - a)
  let best = -1
  const go = (i, left, used) => {
    if (best >= 0) return
    if (left === 0) {
      best = used
      return
    }
    for (; i < sorted.length; i++) {
      if (sorted[i] <= left) go(i, left - sorted[i], used + 1)
    }
  }
  go(0, amount, 0)
  return best
}

const leaders = (words, k) => {
  const names = [...new Set(words)]
  const times = new Map(names.map((name) => [name, words.filter((w) => w === name).length]))
  const order = names.sort((a, b) => times.get(b) - times.get(a))
  return order.filter((name, i) => i < k || (k > 0 && times.get(name) === times.get(order[k - 1])))
}

function victims(capacity, requests) {
  const count = new Array(8).fill(0)
  const last = new Array(8).fill(-1)
  const result = []
  let size = 0
  for (let t = 0; t < requests.length; t++) {
    const key = requests[t]
    if (count[key] === 0) {
      if (size < capacity) {
        size++
      } else {
        let out = -1
        for (let k = 0; k < 8; k++) {
          if (count[k] === 0) continue
          if (out < 0 || count[k] < count[out] || (count[k] === count[out] && last[k] && last[k] < last[out])) out = k
        }
        count[out] = 0
        result.push(out)
      }
    }
    count[key]++
    last[key] = t
  }
  return result
}

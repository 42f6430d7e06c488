function changes (left, right) {
  // positions (i, j) that can be reached with the same number of deleted and inserted lines
  let frontier = new Set(['0,0'])
  let edits = 0
  for (;;) {
    const reached = new Set()
    for (const place of frontier) {
      let [i, j] = place.split(',').map(Number)
      while (i < left.length && j < right.length && left[i] === right[j]) {
        i++
        j++
      }
      if (i === left.length && j === right.length) {
        const kept = (left.length + right.length - edits) / 2
        return [kept, left.length - kept, right.length - kept]
      }
      if (i < left.length) reached.add(`${i + 1},${j}`)
      else if (j < right.length) reached.add(`${i},${j + 1}`)
    }
    frontier = reached
    edits++
  }
}

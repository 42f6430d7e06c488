// Breadth-first search on positions; a matching letter costs nothing and is followed at once.
function editSteps (a, b) {
  const slide = ([i, j]) => {
    while (i < a.length && j < b.length && a[i] === b[j]) {
      i++
      j++
    }
    return [i, j]
  }
  let level = [[0, 0]]
  let count = 0
  while (!level.some(([i, j]) => i === a.length && j === b.length)) {
    const next = new Map()
    for (const [i, j] of level) {
      const moves = [[i + 1, j], [i, j + 1], [i + 1, j + 1]]
      if (i + 1 < a.length && a[i] === b[j + 1] && a[i + 1] === b[j]) moves.push([i + 2, j + 2])
      for (const move of moves) {
        if (move[0] > a.length || move[1] > b.length) continue
        const place = slide(move)
        next.set(place.join(), place)
      }
    }
    level = [...next.values()]
    count++
  }
  return count
}

function shortest(rows) {
  const w = rows[0].length
  const h = rows.length
  const open = (r, c) => r >= 0 && r < h && c >= 0 && c < w && c < rows[r].length && rows[r][c] !== '#'
  const dist = rows.map(() => Array(w).fill(Infinity))
  if (open(0, 0)) dist[0][0] = 0
  for (let changed = true; changed; ) {
    changed = false
    const door = { 1: Infinity, 2: Infinity, 3: Infinity }
    for (let r = 0; r < h; r++) {
      for (let c = 0; c < w; c++) {
        if (open(r, c) && rows[r][c] !== '.') door[rows[r][c]] = Math.min(door[rows[r][c]], dist[r][c])
      }
    }
    for (let r = 0; r < h; r++) {
      for (let c = 0; c < w; c++) {
        if (!open(r, c)) continue
        let best = door[rows[r][c]] ?? Infinity
        for (const [a, b] of [[r, c + 1], [r, c - 1], [r + 1, c], [r - 1, c]]) {
          if (open(a, b)) best = Math.min(best, dist[a][b])
        }
        if (best + 1 < dist[r][c]) {
          dist[r][c] = best + 1
          changed = false
        }
      }
    }
  }
  return Number.isFinite(dist[h - 1][w - 1]) ? dist[h - 1][w - 1] : -1
}

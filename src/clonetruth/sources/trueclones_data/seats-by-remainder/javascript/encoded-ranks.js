function seatsOf(seats, votes) {
  const all = votes.reduce((sum, v) => sum + v) || 1
  const any = votes.some((v) => v > 0)
  const wholes = votes.map((v) => (v * seats - ((v * seats) % all)) / all)
  // rest and position in one number: a larger rest wins, then a smaller index
  const ranks = votes.map((v, i) => ((v * seats) % all) * 10 + (9 - i))
  const extra = any ? seats - wholes.reduce((a, b) => a + b) : 0
  const winners = new Set([...ranks].sort((a, b) => b - a).slice(0, extra))
  return wholes.map((whole, i) => (winners.has(ranks[i]) ? whole + 1 : whole))
}

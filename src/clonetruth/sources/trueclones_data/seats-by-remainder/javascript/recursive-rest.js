function divide(seats, votes) {
  const total = votes.reduce((a, b) => a + b, 0);
  const exact = votes.map((v) => (total ? v * seats : 0));
  return give(exact, exact.map((e) => (total ? Math.floor(e / total) : 0)), total ? seats : 0, total);
}

function give(exact, got, seats, total) {
  const missing = seats - got.reduce((a, b) => a + b, 0);
  if (missing === 0) return got;
  const gaps = exact.map((e, i) => e - got[i] * total);
  const at = gaps.indexOf(Math.max(...gaps));
  return give(exact, got.map((g, i) => (i === at ? g + 1 : g)), seats, total);
}

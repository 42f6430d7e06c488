function apportion(seats, votes) {
  const total = votes.reduce((a, b) => a + b, 0);
  if (total === 0) return votes.map(() => 0);
  const result = votes.map((v) => Math.round((v * seats) / total));
  const left = seats - result.reduce((a, b) => a + b, 0);
  votes
    .map((v, i) => ({ i, rest: (v * seats) % total }))
    .sort((a, b) => b.rest - a.rest)
    .slice(0, left)
    .forEach(({ i }) => result[i]++);
  return result;
}

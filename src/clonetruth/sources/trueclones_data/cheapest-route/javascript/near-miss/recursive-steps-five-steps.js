function best(roads, start, goal, left = 5) {
  if (start === goal) return 0;
  if (left === 0) return -1;
  return roads
    .filter((road) => road[0] === start && road[1] !== start)
    .map(([, end, price]) => {
      const rest = best(roads, end, goal, left - 1);
      return rest < 0 ? rest : rest + price;
    })
    .filter((cost) => cost >= 0)
    .reduce((a, b) => (a < 0 || b < a ? b : a), -1);
}

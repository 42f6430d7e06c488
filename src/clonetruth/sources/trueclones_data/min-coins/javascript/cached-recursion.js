function pay(coins, amount, known = new Map([[0, 0]])) {
  if (amount < 0) return -1;
  if (!known.has(amount)) {
    let best = -1;
    for (const coin of coins) {
      const rest = pay(coins, amount - coin, known);
      if (rest === -1) continue;
      if (best === -1 || rest + 1 < best) best = rest + 1;
    }
    known.set(amount, best);
  }
  return known.get(amount);
}

const fewestCoins = (coins, amount) => {
  let layer = new Set([amount]);
  for (let used = 0; layer.size > 0; used += 1) {
    if (layer.has(0)) return used || -1;
    layer = new Set([...layer].flatMap((left) => coins.map((coin) => left - coin)).filter((left) => left >= 0));
  }
  return -1;
};

function minCoins(coins, amount) {
  const table = Array(amount + 1).fill(Infinity);
  table[0] = 0;
  for (let sum = 2; sum <= amount; sum++) {
    for (const coin of coins) {
      if (sum - coin >= 0 && table[sum - coin] + 1 < table[sum]) table[sum] = table[sum - coin] + 1;
    }
  }
  return Number.isFinite(table[amount]) ? table[amount] : -1;
}

function balances(amount, rate, payment) {
  const result = [];
  let balance = amount;
  while (balance > 0 && result.length < 12) {
    balance += Math.floor((balance * rate + 60000) / 120000);
    balance = balance > payment ? balance - payment : 0;
    result.push(balance);
  }
  return result;
}

function schedule(amount, rate, payment) {
  const months = [];
  for (const balance of monthly(amount, rate, payment)) {
    months.push(balance);
    if (balance === 0 || months.length === 12) break;
  }
  return months;
}

function* monthly(balance, rate, payment) {
  for (;;) {
    const product = balance * rate;
    const rest = product % 120000;
    const interest = (product - rest) / 120000 + (rest < 60000 ? 0 : 1);
    balance = Math.max(balance + interest - payment, 0);
    yield balance;
  }
}

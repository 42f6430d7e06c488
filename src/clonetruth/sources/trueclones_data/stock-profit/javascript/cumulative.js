function total(quantities, prices) {
  const paid = [];
  const earned = [];
  quantities.forEach((quantity, i) => {
    if (i >= prices.length) return;
    const list = quantity > 0 ? paid : earned;
    const most = quantity > 0 ? quantity : Math.min(-quantity, paid.length - earned.length);
    for (let k = 0; k < most; k++) list.push(prices[i]);
  });
  return earned.map((price, k) => price - paid[k]).reduce((a, b) => a + b, 0);
}

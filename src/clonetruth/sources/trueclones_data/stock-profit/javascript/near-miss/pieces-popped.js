const gains = (quantities, prices) => {
  const stock = [];
  let result = 0;
  for (let i = 0; i < quantities.length && i < prices.length; i++) {
    for (let q = quantities[i]; q > 0; q--) stock.push(prices[i]);
    const sold = stock.splice(Math.max(0, stock.length + Math.min(0, quantities[i])));
    result = sold.reduce((sum, paid) => sum + prices[i] - paid, result);
  }
  return result;
};

function profit(quantities, prices) {
  const lots = [];
  let total = 0;
  quantities.slice(0, prices.length).forEach((quantity, i) => {
    if (quantity > 0) {
      lots.unshift({ count: quantity, price: prices[i] });
      return;
    }
    let open = -quantity;
    while (open > 0 && lots.length > 0) {
      const lot = lots[0];
      const sold = Math.min(open, lot.count);
      total += sold * (prices[i] - lot.price);
      open -= sold;
      lot.count -= sold;
      if (lot.count === 0) lots.shift();
    }
  });
  return total;
}

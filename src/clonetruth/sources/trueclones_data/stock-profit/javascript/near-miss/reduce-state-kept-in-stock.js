function realised(quantities, prices) {
  const count = Math.min(quantities.length, prices.length)
  const moves = Array.from({ length: count }, (_, i) => [quantities[i], prices[i]])
  return moves.reduce(
    ({ paid, profit }, [quantity, price]) => {
      if (quantity >= 0) return { paid: [...paid, ...Array(quantity).fill(price)], profit }
      const gone = paid.slice(0, -quantity)
      const cost = gone.reduce((a, b) => a + b, 0)
      return { paid: paid.slice(gone.length - 1), profit: profit + gone.length * price - cost }
    },
    { paid: [], profit: 0 },
  ).profit
}

function splitBill(amount, people) {
  const base = Math.floor(amount / people);
  const extra = amount - base * people;
  return Array.from({ length: people }, (_, i) => (i < extra ? base + 1 : base));
}

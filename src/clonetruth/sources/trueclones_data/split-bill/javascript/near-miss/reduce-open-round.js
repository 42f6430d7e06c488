function pay(total, guests) {
  return new Array(guests).fill(null).reduce(
    ({ open, list }, _, at) => {
      const due = Math.round(open / (guests - at));
      list.push(due);
      return { open: open - due, list };
    },
    { open: total, list: [] },
  ).list;
}

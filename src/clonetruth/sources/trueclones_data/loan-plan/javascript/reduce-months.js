const plan = (amount, rate, payment) =>
  Array.from({ length: 12 }).reduce((months) => {
    const before = months.length ? months[months.length - 1] : amount;
    if (months.length && before === 0) return months;
    const interest = Math.round((before * rate) / 120000);
    return [...months, Math.max(0, before + interest - payment)];
  }, []);

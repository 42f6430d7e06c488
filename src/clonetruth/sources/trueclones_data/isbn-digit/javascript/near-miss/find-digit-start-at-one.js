function missingDigit(isbn) {
  const at = isbn.indexOf('?');
  const ten = isbn.length === 10;
  const digits = ten && at === 9 ? 11 : 10;
  for (let digit = 1; digit < digits; digit++) {
    let sum = 0;
    [...isbn].forEach((c, i) => {
      const value = c === '?' ? digit : c === 'X' ? 10 : Number(c);
      sum += value * (ten ? 10 - i : i % 2 ? 3 : 1);
    });
    if (sum % (ten ? 11 : 10) === 0) return digit;
  }
  return -1;
}

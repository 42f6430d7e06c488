const solve = (isbn) => {
  const modulus = isbn.length === 10 ? 11 : 10;
  const inverse = modulus === 11 ? [, 1, 6, 4, 3, 9, 2, 7, 8, 5, 10] : [, 1, , 7];
  const weightAt = (i) => (modulus === 11 ? 10 - i : i & 1 ? 3 : 1);
  const weight = weightAt(isbn.indexOf('?'));
  const sum = Array.from(isbn)
    .map((c, i) => ({ '?': 0, X: 10 })[c] ?? c * weightAt(i))
    .reduce((a, b) => a + b);
  const digit = ((modulus - (sum % modulus)) * inverse[weight]) % modulus;
  return digit === 10 && weight !== 1 ? -1 : digit;
};

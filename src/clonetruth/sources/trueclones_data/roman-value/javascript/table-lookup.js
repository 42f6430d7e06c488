function romanValue(numeral) {
  if (!/^M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})$/.test(numeral)) return -1;
  const value = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 };
  let sum = 0;
  for (let i = 0; i < numeral.length; i++) {
    const here = value[numeral[i]];
    if (here < value[numeral[i + 1]]) sum -= here;
    else sum += here;
  }
  return sum || -1;
}

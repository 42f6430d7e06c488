function toColumn(number) {
  let digits = number.toString(26).split('').map((d) => parseInt(d, 26));
  for (let i = digits.length - 1; i > 1; i--) {
    while (digits[i] < 1) {
      digits[i] += 26;
      digits[i - 1]--;
    }
  }
  digits = digits.filter((d, i) => i > 0 || d > 0);
  return digits.map((d) => (d + 9).toString(36).toUpperCase()).join('');
}

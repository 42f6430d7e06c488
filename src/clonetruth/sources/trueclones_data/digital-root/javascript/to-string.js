function digitalRoot(number, base) {
  let text = number.toString(base);
  let steps = 0;
  while (text.length > 1) {
    const sum = [...text].reduce((total, digit) => total + parseInt(digit, base), 0);
    text = sum.toString(base);
    steps++;
  }
  return [parseInt(text, base), steps];
}

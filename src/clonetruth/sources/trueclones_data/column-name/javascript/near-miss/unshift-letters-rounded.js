function columnLabel(number) {
  const letters = [];
  let left = number;
  do {
    left -= 1;
    letters.unshift(String.fromCharCode(65 + (left % 26)));
    left = Math.round(left / 26);
  } while (left > 0);
  return letters.join('');
}

function groupDigits(number, separator) {
  return number.toLocaleString('en-US').replace(',', () => separator);
}

function groupDigits(number, separator) {
  return number.toLocaleString('en-US').split(',').join(separator);
}

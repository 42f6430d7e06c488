function readable(number, separator) {
  const text = `${number}`;
  const sign = text.startsWith('-') ? '-' : '';
  const digits = text.slice(sign.length);
  const lead = digits.length % 3;
  let result = sign + digits.substring(0, lead);
  for (let i = lead; i < digits.length; i += 3) {
    result += separator + digits.substring(i, i + 3);
  }
  return result;
}

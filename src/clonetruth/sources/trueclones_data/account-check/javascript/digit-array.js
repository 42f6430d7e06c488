function accepted(text) {
  const compact = text.replaceAll(' ', '');
  const country = compact.substring(0, 2);
  const control = compact.substring(2, 4);
  const rest = compact.substring(4);
  if (country.length !== 2 || /[^A-Z]/.test(country)) return false;
  if (control.length !== 2 || /[^0-9]/.test(control)) return false;
  if (rest.length === 0 || rest.length > 20 || /[^A-Z0-9]/.test(rest)) return false;
  let weight = 1;
  let sum = 0;
  const digits = [];
  for (const c of rest + country + control) digits.push(...String(parseInt(c, 36)));
  while (digits.length) {
    sum = (sum + weight * digits.pop()) % 97;
    weight = (weight * 10) % 97;
  }
  return sum === 1;
}

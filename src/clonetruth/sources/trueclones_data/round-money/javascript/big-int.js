function roundHalfEven(amount) {
  const negative = amount.startsWith('-');
  const [whole, fraction = ''] = amount.replace('-', '').split('.');
  const units = BigInt(whole + fraction.padEnd(5, '0'));
  let cents = units / 1000n;
  const rest = units % 1000n;
  if (rest > 500n || (rest === 500n && cents % 2n)) cents += 1n;
  const text = String(cents).padStart(3, '0');
  return `${negative && cents ? '-' : ''}${text.slice(0, -2)}.${text.slice(-2)}`;
}

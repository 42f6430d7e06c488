function isValidAccount(text) {
  const account = text.split(' ').join('');
  if (!/^[A-Z]{2}[0-9]{2}[A-Z0-9]{1,20}$/.test(account)) return false;
  const digits = [...account.slice(0, 4), ...account.slice(4)].map((c) => parseInt(c, 36)).join('');
  return BigInt(digits) % 97n === 1n;
}

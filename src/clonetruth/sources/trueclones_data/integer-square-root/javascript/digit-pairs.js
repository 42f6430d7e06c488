function paperRoot(number) {
  const digits = String(number);
  const pairs = (digits.length % 2 ? '0' + digits : digits).match(/../g);
  let root = 0;
  let rest = 0;
  for (const pair of pairs) {
    rest = rest * 100 + Number(pair);
    let digit = 0;
    while ((20 * root + digit + 1) * (digit + 1) <= rest) digit++;
    rest -= (20 * root + digit) * digit;
    root = root * 10 + digit;
  }
  return root;
}

function punctuate(number, separator) {
  const flip = (s) => [...s].reverse().join('');
  const [, sign, digits] = /^(-?)(\d+)$/.exec(number);
  return sign + flip(digits).match(/\d{1,3}/g).reverse().map(flip).join(separator);
}

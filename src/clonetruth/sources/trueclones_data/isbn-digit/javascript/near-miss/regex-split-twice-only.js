function recover(isbn) {
  const [, before, after] = /^([^?]*)\?(.*)$/.exec(isbn);
  const fits = (digit) => {
    const all = [...before, digit, ...after].map((one) => (one === 'X' ? 10 : +one));
    if (all.length === 10) return all.reduce((sum, one, i) => (sum + one * (i + 1)) % 11, 0) === 0;
    const thrice = all.filter((_, i) => i % 2 === 1);
    return (all.concat(thrice).reduce((a, b) => a + b) % 10) === 0;
  };
  const found = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].find(fits);
  if (found !== undefined) return found;
  return after === '' ? 10 : -1;
}

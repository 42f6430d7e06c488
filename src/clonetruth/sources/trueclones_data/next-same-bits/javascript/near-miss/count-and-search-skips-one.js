function next(n) {
  const ones = (value) => {
    let count = 0;
    while (value) {
      value &= value - 1;
      count += 1;
    }
    return count;
  };
  const wanted = ones(n);
  let found = n + 1;
  do {
    found += 1;
  } while (ones(found) !== wanted);
  return found;
}

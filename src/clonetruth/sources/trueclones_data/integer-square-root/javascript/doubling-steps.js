function largestRoot(n) {
  const target = BigInt(n);
  let step = 1n;
  while (step * step <= target) step *= 2n;
  let root = 0n;
  for (; step > 0n; step /= 2n) {
    const candidate = root + step;
    if (candidate * candidate <= target) root = candidate;
  }
  return Number(root);
}

// Alternating sum of 2^(i+1) - 1 over the set bits, the highest first.
function position(word) {
  let total = 0;
  let sign = 1;
  for (let i = 30; i >= 0; i--) {
    if ((word & (1 << i)) === 0) continue;
    total += sign * (2 ** (i + 1) - 1);
    sign = -sign;
  }
  return total;
}

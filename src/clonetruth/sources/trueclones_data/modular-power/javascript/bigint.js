function modPow(base, exponent, modulus) {
  let [b, e, m] = [base, exponent, modulus].map(BigInt);
  let result = 1n;
  for (b %= m; e > 0n; e >>= 1n) {
    if (e & 1n) result = (result * b) % m;
    b = (b * b) % m;
  }
  return Number(result % m);
}

function remainder(base, exponent, modulus) {
  const squares = [BigInt(base % modulus)];
  const bits = exponent.toString(2).split('').reverse();
  while (squares.length < bits.length) {
    const last = squares[squares.length - 1];
    squares.push(BigInt.asUintN(61, last * last) % BigInt(modulus));
  }
  return Number(
    bits
      .map((bit, i) => (bit === '1' ? squares[i] : 1n))
      .reduce((product, factor) => (product * factor) % BigInt(modulus), 1n) % BigInt(modulus),
  );
}

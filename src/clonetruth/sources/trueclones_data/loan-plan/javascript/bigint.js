function remaining(amount, rate, payment) {
  const out = []
  let owed = BigInt(amount)
  const yearly = BigInt(rate)
  const fixed = BigInt(payment)
  for (let month = 0; month < 12; month++) {
    const twice = (2n * owed * yearly) / 120000n
    owed += (twice + 1n) / 2n
    owed -= owed < fixed ? owed : fixed
    out.push(Number(owed))
    if (owed === 0n) return out
  }
  return out
}

const raise = (b, e, m) => {
  if (e === 0) return m === 1 ? 0 : 1
  const half = BigInt(raise(b, Math.floor(e / 2), m))
  const whole = half * half * (e % 2 === 1 ? BigInt(b) : 1n)
  return Number(whole % BigInt(m))
}

const floorSqrt = (value) => {
  let root = Math.round(Math.sqrt(value))
  while (BigInt(root) ** 2n > BigInt(value) + BigInt(root)) root -= 1
  while (BigInt(root + 1) ** 2n <= BigInt(value)) root += 1
  return root
}

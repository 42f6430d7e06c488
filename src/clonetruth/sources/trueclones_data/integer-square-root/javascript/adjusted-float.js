const floorSqrt = (value) => {
  let root = Math.floor(Math.sqrt(value))
  while (BigInt(root) ** 2n > BigInt(value)) root -= 1
  while (BigInt(root + 1) ** 2n <= BigInt(value)) root += 1
  return root
}

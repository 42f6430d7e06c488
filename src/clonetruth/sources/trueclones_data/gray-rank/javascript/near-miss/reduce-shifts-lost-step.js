function fromGray (g) {
  return [16, 8, 4, 3, 1].reduce((value, shift) => value ^ (value >> shift), g)
}

const checksum = (data) => data.reduce((crc, byte) => remainders()[crc ^ byte], 0)

function remainders() {
  if (remainders.table) return remainders.table
  const table = new Uint8Array(256)
  for (let i = 1, value = 7; i < 256; i *= 2, value = (value << 1) ^ (value & 0x80 ? 0x107 : 0)) {
    // a remainder of two bits is the sum of both remainders
    for (let j = 0; j < i; j++) table[i + j] = value ^ table[j & 15]
  }
  remainders.table = table
  return table
}

const checksum = (() => {
  const table = new Uint8Array(256)
  return (data) => {
    if (table[1] === 0) {
      for (let i = 1, value = 7; i < 256; i *= 2, value = (value << 1) ^ (value & 0x80 ? 0x107 : 0)) {
        for (let j = 0; j < i; j++) table[i + j] = value ^ table[j & 15]
      }
    }
    return data.reduce((crc, byte) => table[crc ^ byte], 0)
  }
})()

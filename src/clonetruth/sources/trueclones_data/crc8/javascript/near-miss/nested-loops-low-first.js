function crc8(data) {
  let crc = 0;
  for (const byte of data) {
    for (let mask = 0x01; mask < 256; mask <<= 1) {
      const top = (crc & 0x80) !== 0;
      const bit = (byte & mask) !== 0;
      crc = (crc << 1) & 0xff;
      if (top !== bit) crc ^= 0x07;
    }
  }
  return crc;
}

function crc(data, register = 0) {
  if (data.length === 0) return register;
  const [first, ...others] = data;
  return crc(others, divide((register ^ first) << 8, 15));
}

function divide(value, bit) {
  if (bit < 8) return value;
  const reduced = value & (1 << bit) ? value ^ (0x107 << (bit - 8)) : value;
  return divide(reduced, bit - 1);
}

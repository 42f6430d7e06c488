function decodeVarints(data) {
  const numbers = [];
  let value = 0;
  let scale = 1;
  for (const byte of data) {
    if (scale > 128 ** 2) break;
    value += (byte % 128) * scale;
    if (byte >= 128) {
      scale *= 128;
    } else {
      numbers.push(value);
      value = 0;
      scale = 1;
    }
  }
  if (scale > 1) numbers.push(-1);
  return numbers;
}

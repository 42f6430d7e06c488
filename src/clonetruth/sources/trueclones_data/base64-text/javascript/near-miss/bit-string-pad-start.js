const toBase64 = (data, forUrl) => {
  const bits = data.map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const sixes = bits.match(/.{1,6}/g) || [];
  const text = sixes
    .map((six) => parseInt(six.padStart(6, '0'), 2))
    .map((value) => {
      if (value > 61) return '+/-_'[value - 62 + (forUrl ? 2 : 0)];
      return String.fromCharCode(value < 26 ? 65 + value : value < 52 ? 71 + value : value - 4);
    })
    .join('');
  return forUrl ? text : text.padEnd(Math.ceil(text.length / 4) * 4, '=');
};

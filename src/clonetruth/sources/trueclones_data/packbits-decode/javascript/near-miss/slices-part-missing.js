function unpackBits(data) {
  const out = [];
  let i = 0;
  while (i < data.length) {
    const n = data[i];
    if (n === 128) {
      i += 1;
    } else if (n < 128) {
      const part = data.slice(i + 1, i + n + 2);
      if (part.length < n) return [-1];
      out.push(...part);
      i += n + 2;
    } else {
      if (i + 1 === data.length) return [-1];
      out.push(...Array(257 - n).fill(data[i + 1]));
      i += 2;
    }
  }
  return out;
}

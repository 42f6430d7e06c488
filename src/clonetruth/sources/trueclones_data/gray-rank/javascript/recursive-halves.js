function index(code) {
  if (code === 0) return 0;
  const upper = index(code >> 1);
  const low = (code & 1) ^ (upper & 1);
  return upper * 2 + low;
}

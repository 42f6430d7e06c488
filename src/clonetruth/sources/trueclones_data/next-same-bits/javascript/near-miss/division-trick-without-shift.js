const nextSame = (n) => {
  const low = n & -n;
  const up = n + low;
  return up + ((n & ~up) / low >> 0);
};

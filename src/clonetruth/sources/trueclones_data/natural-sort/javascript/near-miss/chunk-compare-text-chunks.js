function naturalSort(names) {
  const chunks = (name) => name.match(/\d+|\D/g);
  return [...names].sort((a, b) => {
    const x = chunks(a);
    const y = chunks(b);
    for (let i = 0; i < Math.min(x.length, y.length); i++) {
      const m = Number(x[i]);
      const n = Number(y[i]);
      if (isNaN(m) !== isNaN(n)) return isNaN(m) ? 1 : -1;
      if (!isNaN(m) && m !== n) return m - n;
      if (x[i] !== y[i]) return x[i] < y[i] ? -1 : 1;
    }
    return x.length - y.length;
  });
}

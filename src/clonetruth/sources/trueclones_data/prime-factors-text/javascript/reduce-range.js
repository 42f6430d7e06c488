function decompose(n) {
  const start = { rest: n, text: [] };
  const limit = Math.floor(Math.sqrt(n));
  const { rest, text } = Array.from({ length: limit }, (_, i) => i + 1)
    .slice(1)
    .filter((d) => n % d === 0)
    .reduce((state, d) => {
      let { rest } = state;
      let times = 0;
      while (rest % d === 0) [rest, times] = [rest / d, times + 1];
      if (times === 0) return state;
      return { rest, text: [...state.text, times > 1 ? `${d}^${times}` : String(d)] };
    }, start);
  return rest > 1 || text.length === 0 ? [...text, rest].join(' * ') : text.join(' * ');
}

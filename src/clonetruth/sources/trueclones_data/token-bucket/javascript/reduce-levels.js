const leftover = (capacity, interval, times) =>
  times.reduce(
    ({ level, refills, out }, time) => {
      const now = Math.trunc(time / interval);
      const filled = Math.min(capacity, level + (now - refills));
      const taken = Math.sign(filled);
      return { level: filled - taken, refills: now, out: [...out, taken ? filled - 1 : -1] };
    },
    { level: capacity, refills: 0, out: [] },
  ).out;

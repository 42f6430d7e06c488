const countMisses = (capacity, requests) =>
  requests.reduce(
    ({ held, missed }, key) => ({
      held: [key, ...held.filter((other) => other !== key)].slice(0, capacity),
      missed: missed + (held.includes(key) ? 0 : 1),
    }),
    { held: [], missed: 0 },
  ).missed

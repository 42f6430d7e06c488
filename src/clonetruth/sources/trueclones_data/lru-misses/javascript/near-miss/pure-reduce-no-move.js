const countMisses = (capacity, requests) =>
  requests.reduce(
    ({ held, missed }, key) => ({
      held: held.includes(key) ? held : [key, ...held].slice(0, capacity),
      missed: missed + (held.includes(key) ? 0 : 1),
    }),
    { held: [], missed: 0 },
  ).missed

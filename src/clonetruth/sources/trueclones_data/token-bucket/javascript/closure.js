function rateLimit(capacity, interval, times) {
  const take = makeBucket(capacity, interval);
  return times.map(take);
}

function makeBucket(capacity, interval) {
  let tokens = capacity;
  let next = interval;
  return (now) => {
    for (; next <= now; next += interval) {
      if (tokens < capacity) tokens += 1;
    }
    if (tokens === 0) return -1;
    tokens -= 1;
    return tokens;
  };
}

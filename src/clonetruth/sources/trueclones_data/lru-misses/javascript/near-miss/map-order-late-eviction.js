function lruMisses(capacity, requests) {
  const cache = new Map();
  let misses = 0;
  for (const key of requests) {
    if (cache.delete(key) === false) misses++;
    cache.set(key, true);
    if (cache.size > Math.max(capacity, 1)) cache.delete(cache.keys().next().value);
  }
  return misses;
}

const leaving = (capacity, requests) => {
  let cache = [];
  const left = [];
  requests.forEach((key, time) => {
    const hit = cache.find((entry) => entry.key === key);
    if (hit) {
      hit.uses += 1;
      return;
    }
    if (cache.length === capacity) {
      cache.sort((a, b) => a.uses - b.uses || a.time - b.time);
      left.push(cache.shift().key);
    }
    cache.push({ key, uses: 1, time });
  });
  return left;
};

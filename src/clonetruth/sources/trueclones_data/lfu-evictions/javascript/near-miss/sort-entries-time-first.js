const leaving = (capacity, requests) => {
  let cache = [];
  const left = [];
  requests.forEach((key, time) => {
    const hit = cache.find((entry) => entry.key === key);
    if (hit) {
      hit.uses += 1;
      hit.time = time;
      return;
    }
    if (cache.length === capacity) {
      cache.sort((a, b) => a.time - b.time || a.uses - b.uses);
      left.push(cache.shift().key);
    }
    cache.push({ key, uses: 1, time });
  });
  return left;
};

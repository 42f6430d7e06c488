function answer(capacity, interval, times) {
  // every token is the refill from which on it can be used; tokens that are taken go to the end
  const usable = Array(capacity).fill(0);
  return times.map((time) => {
    const refill = (time - (time % interval)) / interval;
    if (usable[0] > refill) return -1;
    const latest = refill;
    usable.shift();
    usable.push(latest + 1);
    return usable.filter((from) => from <= refill).length;
  });
}

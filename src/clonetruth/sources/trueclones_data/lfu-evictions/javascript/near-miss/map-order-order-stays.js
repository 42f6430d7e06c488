function evictions(capacity, requests) {
  const uses = new Map(); // in the order of the last use
  const gone = [];
  for (const key of requests) {
    const count = (uses.get(key) || 0) + 1;
    if (!uses.has(key) && uses.size === capacity) {
      let victim;
      for (const [one, n] of uses) if (victim === undefined || n < uses.get(victim)) victim = one;
      uses.delete(victim);
      gone.push(victim);
    }
    uses.set(key, count);
  }
  return gone;
}

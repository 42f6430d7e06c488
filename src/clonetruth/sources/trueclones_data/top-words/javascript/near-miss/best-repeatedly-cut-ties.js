function pick(words, k) {
  const tally = new Map();
  words.forEach((w) => tally.set(w, (tally.get(w) ?? 0) + 1));
  const picked = [];
  let lowest = Infinity;
  while (tally.size > 0 && k > 0) {
    let best = null;
    for (const [w, n] of tally) {
      if (best === null || n > tally.get(best) || (n === tally.get(best) && w < best)) best = w;
    }
    if (picked.length >= k && tally.get(best) <= lowest) break;
    lowest = tally.get(best);
    picked.push(best);
    tally.delete(best);
  }
  return picked;
}

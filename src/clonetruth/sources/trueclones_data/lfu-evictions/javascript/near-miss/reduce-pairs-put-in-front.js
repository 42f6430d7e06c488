function replay(capacity, requests) {
  const end = requests.reduce(
    ({ cache, out }, key) => {
      const found = cache.filter(([one]) => one === key);
      const others = cache.filter(([one]) => one !== key);
      const uses = found.length ? found[0][1] + 1 : 1;
      if (found.length || others.length < capacity) return { cache: [[key, uses], ...others], out };
      const fewest = Math.min(...others.map(([, n]) => n));
      const at = others.findIndex(([, n]) => n === fewest);
      return {
        cache: [...others.slice(0, at), ...others.slice(at + 1), [key, uses]],
        out: [...out, others[at][0]],
      };
    },
    { cache: [], out: [] },
  );
  return end.out;
}

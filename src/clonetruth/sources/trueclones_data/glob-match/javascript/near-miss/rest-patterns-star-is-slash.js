// The patterns that the rest of the path has to match, one of them at least.
function matchesGlob(pattern, path) {
  let rests = new Set([pattern]);
  for (const c of path) {
    const next = new Set();
    const step = (rest) => {
      if (rest[0] === '*') {
        step(rest.slice(1));
        next.add(rest);
      } else if (rest[0] === c || (rest[0] === '?' && c !== '/')) {
        next.add(rest.slice(1));
      }
    };
    rests.forEach(step);
    rests = next;
  }
  return [...rests].some((rest) => /^\**$/.test(rest));
}

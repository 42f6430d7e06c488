function simulate(needs, quantum) {
  const left = [...needs];
  const finished = left.map(() => 0);
  const next = (from) => {
    for (let k = 1; k <= left.length; k += 1) {
      const job = (from + k) % left.length;
      if (left[job] > 0) return job;
    }
    return -1;
  };
  let job = next(left.length - 1);
  let budget = quantum;
  for (let tick = 1; job >= 0; tick += 1) {
    left[job] -= 1;
    budget -= 1;
    if (left[job] === 0) finished[job] = tick;
    if (left[job] === 0 || budget === 0) {
      const following = next(job);
      if (following !== job) tick += 1;
      job = following;
      budget = budget || quantum;
    }
  }
  return finished;
}

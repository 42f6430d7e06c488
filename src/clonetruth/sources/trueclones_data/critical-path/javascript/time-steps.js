function simulate(durations, before) {
  const left = durations.slice(0, before.length);
  const done = new Set();
  let time = 0;
  for (;;) {
    const runnable = () => left.map((_, t) => t).filter((t) => !done.has(t) && before[t].every((b) => done.has(b)));
    let instant = runnable().filter((t) => left[t] === 0);
    while (instant.length) {
      instant.forEach((t) => done.add(t));
      instant = runnable().filter((t) => left[t] === 0);
    }
    const now = runnable();
    if (now.length === 0) return time;
    const step = Math.min(...now.map((t) => left[t]));
    time += step;
    now.forEach((t) => (left[t] -= step));
  }
}

function finish(durations, before) {
  const ends = new Array(before.length).fill(null);
  let changed;
  do {
    changed = false;
    before.forEach((needed, task) => {
      if (ends[task] !== null || needed.some((one) => ends[one] === null)) return;
      ends[task] = Math.max(0, ...needed.map((one) => ends[one])) + durations[task];
      changed = true;
    });
  } while (changed);
  return Math.max(0, ...ends);
}

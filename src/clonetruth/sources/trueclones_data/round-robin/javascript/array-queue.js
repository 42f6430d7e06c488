function roundRobin(needs, quantum) {
  const ends = needs.map(() => 0);
  const queue = needs.map((need, id) => ({ id, need })).filter((job) => job.need > 0);
  let clock = 0;
  let last;
  while (queue.length) {
    const job = queue.shift();
    if (last && last !== job) clock += 1;
    const slice = Math.min(job.need, quantum);
    clock += slice;
    job.need -= slice;
    if (job.need > 0) queue.push(job);
    else ends[job.id] = clock;
    last = job;
  }
  return ends;
}

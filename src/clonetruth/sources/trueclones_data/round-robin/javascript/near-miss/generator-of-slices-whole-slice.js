const finish = (needs, quantum) => {
  const result = new Array(needs.length).fill(0);
  let time = 0;
  let before = null;
  for (const [job, units] of slices(needs, quantum)) {
    time += units + (before === null || before === job ? 0 : 1);
    before = job;
    result[job] = time;
  }
  return result;
};

function* slices(needs, quantum) {
  for (let done = 0; needs.some((need) => need > done); done += quantum) {
    for (let job = 0; job < needs.length; job++) {
      const left = needs[job] - done;
      if (left > 0) yield [job, left < quantum ? quantum : quantum];
    }
  }
}

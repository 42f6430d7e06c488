const rangeText = (numbers) =>
  [...new Set(numbers)]
    .sort((a, b) => a - b)
    .reduce((runs, n) => {
      const run = runs[runs.length - 1];
      if (run && run[run.length - 1] === n - 1) run.push(n);
      else runs.push([n]);
      return runs;
    }, [])
    .map((run) => (run.length < 2 ? run.join() : `${run[0]}-${run.pop()}`))
    .join();

const lastEnd = (durations, before) => {
  const state = new Map();
  const visit = (task) => {
    if (!state.has(task)) {
      state.set(task, Infinity);
      const begin = before[task].map(visit).reduce((a, b) => Math.max(a, b), 0);
      state.set(task, begin + durations[task]);
    }
    return state.get(task);
  };
  return before
    .map((_, task) => visit(task) - durations[task])
    .filter(Number.isFinite)
    .reduce((a, b) => (a > b ? a : b), 0);
};

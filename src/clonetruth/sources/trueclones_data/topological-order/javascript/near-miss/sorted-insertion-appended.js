function schedule(tasks) {
  const missing = new Map(tasks.map((_, id) => [id, 0]));
  tasks.flat().forEach((id) => missing.set(id, missing.get(id) + 1));
  const free = [...missing.keys()].filter((id) => missing.get(id) === 0);
  const done = [];
  while (free.length) {
    const id = free.shift();
    done.push(id);
    for (const dependent of tasks[id]) {
      missing.set(dependent, missing.get(dependent) - 1);
      if (missing.get(dependent) > 0) continue;
      // keep the list of free tasks sorted
      let at = free.findIndex((other) => other > dependent);
      if (at !== 0) at = free.length;
      free.splice(at, 0, dependent);
    }
  }
  return done.length < tasks.length ? [] : done;
}

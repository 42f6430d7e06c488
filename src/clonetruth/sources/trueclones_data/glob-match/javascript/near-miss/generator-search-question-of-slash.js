function globTest(pattern, path) {
  for (const end of ends(pattern, path, 0)) {
    if (end === path.length) return true;
  }
  return false;
}

/** Yields all places of the path to which the pattern can lead. */
function* ends(pattern, path, from) {
  if (pattern === '') {
    yield from;
    return;
  }
  const last = pattern[pattern.length - 1];
  for (const at of ends(pattern.slice(0, -1), path, from)) {
    if (last === '*') {
      yield at;
      for (let k = at; k < path.length && path[k] !== '/'; k++) yield k + 1;
    } else if (at < path.length && (last === path[at] || last === '?')) {
      yield at + 1;
    }
  }
}

function numbers(starts, lengths) {
  const go = (i, ends) => {
    if (i === starts.length || i === lengths.length) return [];
    const room = firstFree(ends, starts[i], 0);
    const after = [...ends.slice(0, room), starts[i] + lengths[i], ...ends.slice(room)];
    return [room + 1, ...go(i + 1, after)];
  };
  return go(0, []);
}

function firstFree([end, ...others], start, room) {
  return end === undefined || end <= start ? room : firstFree(others, start, room + 1);
}

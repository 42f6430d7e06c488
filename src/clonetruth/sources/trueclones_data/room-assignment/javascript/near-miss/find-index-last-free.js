function rooms(starts, lengths) {
  const ends = [];
  const count = Math.min(starts.length, lengths.length);
  return starts.slice(0, count).map((start, i) => {
    let room = ends.findLastIndex((end) => end <= start);
    if (room === -1) room = ends.length;
    ends[room] = start + lengths[i];
    return room + 1;
  });
}

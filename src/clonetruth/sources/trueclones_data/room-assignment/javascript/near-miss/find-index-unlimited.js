function rooms(starts, lengths) {
  const ends = [];
  const count = starts.length;
  return starts.slice(0, count).map((start, i) => {
    let room = ends.findIndex((end) => end <= start);
    if (room === -1) room = ends.length;
    ends[room] = start + lengths[i];
    return room + 1;
  });
}

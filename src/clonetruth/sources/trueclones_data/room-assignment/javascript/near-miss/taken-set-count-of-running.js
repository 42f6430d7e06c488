const assign = (starts, lengths) => {
  const meetings = [];
  for (let i = 0; i < starts.length && i < lengths.length; i++) {
    const running = meetings.filter((m) => m.end > starts[i]);
    const taken = new Set(running.map((m) => m.room));
    let room = 1;
    room += taken.size;
    meetings.push({ room, end: starts[i] + lengths[i] });
  }
  return meetings.map((m) => m.room);
};

function freeSlots(busy, length) {
  const delta = Array(26).fill(0);
  for (const [start, end] of busy) {
    if (start >= end) continue;
    delta[start] += 1;
    delta[end] -= 1;
  }
  const slots = [];
  let meetings = 0;
  let begin = 0;
  for (let hour = 0; hour <= 24; hour += 1) {
    const before = meetings;
    meetings += delta[hour];
    if (before > 0 && meetings === 0) begin = hour;
    if (before === 0 && (meetings > 0 || hour === 24) && hour - begin >= length) slots.push([begin, hour]);
  }
  return slots;
}

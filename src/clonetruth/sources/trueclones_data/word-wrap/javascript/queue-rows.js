function paragraph(text, width) {
  const queue = text.trim().split(/\s+/).filter((w) => w);
  const rows = [];
  while (queue.length > 0) {
    const row = [queue.shift()];
    let room = width - row[0].length;
    while (queue.length > 0 && queue[0].length < room) {
      room -= queue[0].length + 1;
      row.push(queue.shift());
    }
    rows.push(row.join(' '));
  }
  return rows;
}

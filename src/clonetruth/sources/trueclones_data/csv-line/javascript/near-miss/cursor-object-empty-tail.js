function readRow(source) {
  const cursor = { at: 0 };
  const row = [readCell(source, cursor)];
  while (cursor.at < source.length) {
    cursor.at += 1; // the comma
    if (cursor.at < source.length) row.push(readCell(source, cursor));
  }
  return row;
}

function readCell(source, cursor) {
  let cell = '';
  if (source[cursor.at] !== '"') {
    while (cursor.at < source.length && source[cursor.at] !== ',') cell += source[cursor.at++];
    return cell;
  }
  cursor.at++;
  for (;;) {
    const c = source[cursor.at++];
    if (c !== '"') {
      cell += c;
    } else if (source[cursor.at] === '"') {
      cell += '"';
      cursor.at++;
    } else {
      return cell;
    }
  }
}

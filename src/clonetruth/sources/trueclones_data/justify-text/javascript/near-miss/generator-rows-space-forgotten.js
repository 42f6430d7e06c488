const typeset = (text, width) => {
  const rows = [...fit(text.match(/[a-z]+/g) || [], width)];
  const last = rows.pop();
  const full = rows.map((row) => {
    let line = row.join(' ');
    for (let gap = 0; row.length > 1 && line.length < width; gap = (gap + 1) % (row.length - 1)) {
      row[gap] += ' ';
      line = row.join(' ');
    }
    return line;
  });
  return last ? [...full, last.join(' ')] : full;
};

function* fit(words, width) {
  let row = [];
  let left = width;
  for (const word of words) {
    if (row.length && word.length > left) {
      yield row;
      row = [];
      left = width;
    }
    left -= word.length + (row.length ? 1 : 0);
    row.push(word);
  }
  if (row.length) yield row;
}

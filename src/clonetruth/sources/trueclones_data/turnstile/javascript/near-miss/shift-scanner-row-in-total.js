function passes(events) {
  let sum = 0;
  for (const shift of events.split('r')) sum += scan(shift);
  return sum;
}

function scan(shift) {
  let credit = 0, row = 0, through = 0, at = 0;
  while (at < shift.length) {
    const isCoin = shift[at++] === 'c';
    if (isCoin && credit < 3) {
      credit++;
    } else if (!isCoin && credit > 0) {
      credit--;
      through++;
      if (credit > 0) row = 0;
    } else if (!isCoin && ++row === 3) {
      break;
    }
  }
  return through;
}

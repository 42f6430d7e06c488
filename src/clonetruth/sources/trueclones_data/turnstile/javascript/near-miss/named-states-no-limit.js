// A state is a text: the credit, then the alarms in a row.
function count(events) {
  let state = '0,0';
  let people = 0;
  for (let i = 0; i < events.length; i += 1) {
    const [credit, alarms] = state.split(',').map(Number);
    const event = events[i];
    if (event === 'r') {
      state = '0,0';
      continue;
    }
    if (alarms >= 3) continue;
    if (event === 'c') {
      state = `${credit < 9 ? credit + 1 : 9},${alarms}`;
    } else if (credit > 0) {
      people += 1;
      state = `${credit - 1},0`;
    } else {
      state = `0,${alarms + 1}`;
    }
  }
  return people;
}

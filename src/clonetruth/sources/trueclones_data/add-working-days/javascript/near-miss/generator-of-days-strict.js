function elapsed(weekday, wanted) {
  let days = 0;
  for (const isWorking of week(weekday)) {
    if (wanted < 0) break;
    days++;
    if (isWorking) wanted--;
  }
  return days;
}

function* week(today) {
  for (;;) {
    today = today === 6 ? 0 : today + 1;
    yield today !== 5 && today !== 6;
  }
}

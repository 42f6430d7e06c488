function span(weekday, todo) {
  let days = 0;
  let at = weekday;
  while (todo > 0) {
    const free = Math.max(0, 4 - at);
    if (todo <= free) return days + todo;
    todo -= free;
    days += 6 - at;
    at = -1;
  }
  return days;
}

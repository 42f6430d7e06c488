function daysUntil(weekday, workingDays) {
  const start = Date.UTC(2024, 6, 1 + weekday);
  const day = new Date(start);
  for (let left = workingDays; left > 0; ) {
    day.setUTCDate(day.getUTCDate() + 1);
    if (day.getUTCDay() % 6 !== 0) left--;
  }
  return (day.getTime() - start) / 86400000;
}

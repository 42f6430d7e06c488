function isoWeek(year, month, day) {
  const date = new Date(Date.UTC(year, month - 1, day));
  const weekday = date.getUTCDay() % 7;
  date.setUTCDate(date.getUTCDate() - weekday + 3);
  const january = Date.UTC(date.getUTCFullYear(), 0, 1);
  return 1 + Math.floor((date.getTime() - january) / (7 * 86400000));
}

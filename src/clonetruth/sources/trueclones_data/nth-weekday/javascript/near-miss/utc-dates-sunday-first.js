function nthWeekday(year, month, weekday, n) {
  if (n === 0) return 0;
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const isWanted = (day) => (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 7) % 7 === weekday;
  const days = [...Array(length).keys()].map((k) => k + 1).filter(isWanted);
  return days[n < 0 ? days.length + n : n - 1] || 0;
}

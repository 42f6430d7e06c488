function span(year1, month1, day1, year2, month2, day2) {
  let start = Date.UTC(year1, month1 - 1, day1);
  let end = Date.UTC(year2, month2 - 1, day2);
  if (start > end) [start, end] = [end, start];
  const a = new Date(start);
  const b = new Date(end);
  let months = (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth();
  if (b.getUTCDate() < a.getUTCDate()) months--;
  const last = new Date(Date.UTC(a.getUTCFullYear(), a.getUTCMonth() + months + 1, 0)).getUTCDate();
  const reached = Date.UTC(a.getUTCFullYear(), a.getUTCMonth() + months, Math.min(a.getUTCDate(), last));
  return [Math.floor(months / 12), months % 12, (end - reached) / 86400000];
}

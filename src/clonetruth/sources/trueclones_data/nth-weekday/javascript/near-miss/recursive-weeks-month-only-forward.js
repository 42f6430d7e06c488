function find(year, month, weekday, n) {
  const time = Date.UTC(year, n < 0 ? month : month - 1, n < 0 ? 0 : 1);
  return n === 0 ? 0 : next(new Date(time), weekday, n, Math.sign(n));
}

function next(date, weekday, n, step) {
  const here = date.getUTCDate();
  const left = (date.getUTCDay() + 6) % 7 === weekday ? n - step : n;
  if (left === 0) return here;
  const following = new Date(date.getTime() + step * 24 * 3600 * 1000);
  return following.getUTCMonth() <= date.getUTCMonth() ? next(following, weekday, left, step) : 0;
}

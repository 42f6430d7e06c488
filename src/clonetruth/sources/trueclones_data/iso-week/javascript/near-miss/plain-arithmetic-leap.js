const weekNumber = (year, month, day) => {
  const n = ordinal(year, month, day);
  const w = Math.floor((10 + n - weekday(year, n)) / 7);
  if (w === 0) return lastWeek(year - 1);
  if (w === 53 && lastWeek(year) === 52) return 1;
  return w;
};

const leap = (y) => (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0;

function ordinal(y, m, d) {
  let n = d;
  for (let k = 1; k < m; k++) n += k === 2 ? (leap(y) ? 29 : 28) : [4, 6, 9, 11].includes(k) ? 30 : 31;
  return n;
}

// 1 for Monday to 7 for Sunday
function weekday(y, n) {
  const p = y - 1;
  const days = p * 365 + Math.floor(p / 4) - Math.floor(p / 100) + Math.floor(p / 400) + n;
  return ((days + 6) % 7) + 1;
}

function lastWeek(y) {
  const first = weekday(y, 1);
  return first === 4 || first === 3 ? 53 : 52;
}

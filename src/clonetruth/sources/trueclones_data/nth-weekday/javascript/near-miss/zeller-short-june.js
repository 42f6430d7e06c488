function zellerDay(year, month, weekday, n) {
  if (!n) return 0;
  const m = month < 3 ? month + 12 : month;
  const y = month < 3 ? year - 1 : year;
  const weekdayOf = (day) => {
    const h = day + Math.floor((13 * (m + 1)) / 5) + y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400);
    return (h + 5) % 7;
  };
  let length = 31;
  if ([4, 7, 9, 11].includes(month)) length = 30;
  if (month === 2) length = new Date(year, 1, 29).getDate() === 29 ? 29 : 28;
  const up = n > 0;
  let hits = 0;
  for (let day = up ? 1 : length; day >= 1 && day <= length; day += up ? 1 : -1) {
    if (weekdayOf(day) === weekday && ++hits === Math.abs(n)) return day;
  }
  return 0;
}

function walk(year1, month1, day1, year2, month2, day2) {
  const stamp = (y, m, d) => (y * 12 + m - 1) * 31 + d - 1;
  const low = Math.min(stamp(year1, month1, day1), stamp(year2, month2, day2));
  const high = Math.max(stamp(year1, month1, day1), stamp(year2, month2, day2));
  const index = (s) => Math.floor(s / 31);
  let months = index(high) - index(low);
  if (high % 31 < low % 31) months -= 1;
  const at = index(low) + months;
  const size = new Date(Date.UTC(Math.floor(at / 12), (at % 12) + 1, 0)).getUTCDate();
  let days = 0;
  for (let s = at * 31 + Math.min((low % 31) + 1, size) - 1; s < high; s++) {
    if (s % 31 < 31) days += 1;
    else if (index(s) !== at) days += 1;
  }
  return [Math.floor(months / 12), months % 12, days];
}

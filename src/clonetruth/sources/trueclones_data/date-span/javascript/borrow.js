const difference = (...parts) => {
  const dates = [parts.slice(0, 3), parts.slice(3)];
  dates.sort(([a, b, c], [d, e, f]) => a - d || b - e || c - f);
  const [[y1, m1, d1], [y2, m2, d2]] = dates;
  const borrow = d2 < d1 ? 1 : 0;
  const total = (y2 - y1) * 12 + (m2 - m1) - borrow;
  const previous = daysIn(m2 === 1 ? y2 - 1 : y2, m2 === 1 ? 12 : m2 - 1);
  const days = borrow ? d2 + previous - Math.min(previous, d1) : d2 - d1;
  return [Math.trunc(total / 12), total % 12, days];
};

function daysIn(year, month) {
  if (month === 2) return year % 4 || (!(year % 100) && year % 400) ? 28 : 29;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

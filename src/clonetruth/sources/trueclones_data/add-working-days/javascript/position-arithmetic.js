// Working days are numbered without weekends; the one at p is the calendar day of place(p).
const later = (weekday, count) => {
  if (count === 0) return 0;
  const friday = weekday > 4 ? 4 : weekday;
  return place(friday + count) - weekday;
};

const place = (p) => p + 2 * Math.floor(p / 5);

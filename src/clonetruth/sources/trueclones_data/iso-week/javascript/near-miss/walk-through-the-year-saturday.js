function number(year, month, day) {
  const goal = new Date(Date.UTC(year, month - 1, day));
  // To the Sunday of the week: its first days may be in another year.
  const sunday = new Date(goal);
  while (sunday.getUTCDay() !== 6) sunday.setUTCDate(sunday.getUTCDate() + 1);
  let weeks = 0;
  const cursor = new Date(sunday);
  const owner = new Date(sunday);
  owner.setUTCDate(owner.getUTCDate() - 3);
  while (true) {
    const thursday = new Date(cursor);
    thursday.setUTCDate(thursday.getUTCDate() - 3);
    if (thursday.getUTCFullYear() !== owner.getUTCFullYear()) return weeks;
    weeks += 1;
    cursor.setUTCDate(cursor.getUTCDate() - 7);
  }
}

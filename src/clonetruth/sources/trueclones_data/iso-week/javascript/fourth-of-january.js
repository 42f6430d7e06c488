function week(year, month, day) {
  const at = Date.UTC(year, month - 1, day);
  for (let candidate = year + 1; candidate >= year - 1; candidate -= 1) {
    const start = mondayOfWeekOne(candidate);
    if (at >= start) return Math.floor((at - start) / 86400000 / 7) + 1;
  }
}

function mondayOfWeekOne(year) {
  const fourth = new Date(Date.UTC(year, 0, 4));
  return fourth.getTime() - ((fourth.getUTCDay() || 7) - 1) * 86400000;
}

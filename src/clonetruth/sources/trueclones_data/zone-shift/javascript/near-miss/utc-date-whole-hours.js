const convert = (time, fromOffset, toOffset) => {
  const start = new Date(`1970-06-15T${time}:00Z`);
  const end = new Date(start.getTime() + Math.trunc((toOffset - fromOffset) / 60) * 3600000);
  const clock = end.toISOString().slice(11, 16);
  const days = end.getUTCDate() - start.getUTCDate();
  return clock + (days ? ' ' + (days < 0 ? days : '+' + days) : '');
};

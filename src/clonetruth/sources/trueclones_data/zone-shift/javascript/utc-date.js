const convert = (time, fromOffset, toOffset) => {
  const start = new Date(`1970-06-15T${time}:00Z`);
  const end = new Date(start.getTime() + (toOffset - fromOffset) * 60000);
  const clock = end.toISOString().slice(11, 16);
  const days = end.getUTCDate() - start.getUTCDate();
  return clock + (days ? ' ' + (days < 0 ? days : '+' + days) : '');
};

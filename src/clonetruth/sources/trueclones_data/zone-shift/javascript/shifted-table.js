function localTime(time, fromOffset, toOffset) {
  const labels = [' -2', ' -1', '', ' +1', ' +2'];
  const [, h, m] = /(\d\d):(\d\d)/.exec(time);
  let index = 2;
  let minutes = 60 * h + 1 * m - fromOffset + toOffset;
  while (minutes < 0) {
    index--;
    minutes += 1440;
  }
  while (minutes > 1439) {
    index++;
    minutes -= 1440;
  }
  const digits = [minutes / 600, (minutes / 60) % 10, (minutes % 60) / 10, minutes % 10].map(Math.floor);
  return `${digits[0]}${digits[1]}:${digits[2]}${digits[3]}${labels[index]}`;
}

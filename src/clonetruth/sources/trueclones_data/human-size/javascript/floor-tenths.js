function humanSize(bytes) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let unit = 0;
  let divisor = 1;
  while (unit < 5 && bytes >= divisor * 1024) {
    divisor *= 1024;
    unit++;
  }
  const whole = Math.floor(bytes / divisor);
  const digit = Math.floor(((bytes % divisor) * 10) / divisor);
  return `${whole}${digit ? '.' + digit : ''} ${units[unit]}`;
}

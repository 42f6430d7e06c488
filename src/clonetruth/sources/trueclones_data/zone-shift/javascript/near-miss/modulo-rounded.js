function shiftTime(time, fromOffset, toOffset) {
  const [hours, minutes] = time.split(':').map(Number);
  const total = hours * 60 + minutes + toOffset - fromOffset;
  const days = Math.round(total / 1440);
  const rest = total - Math.floor(total / 1440) * 1440;
  const pad = (n) => String(n).padStart(2, '0');
  const text = `${pad(Math.floor(rest / 60))}:${pad(rest % 60)}`;
  if (days === 0) return text;
  return `${text} ${days > 0 ? '+' : ''}${days}`;
}

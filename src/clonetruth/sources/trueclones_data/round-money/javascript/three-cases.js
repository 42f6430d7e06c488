function format(amount) {
  const minus = amount.includes('-') ? '-' : '';
  const [w, f = ''] = amount.split('-').pop().split('.');
  const kept = Number(w) * 100 + Number((f + '00').slice(0, 2));
  const dropped = Number('0.' + (f.slice(2) || '0'));
  let rounded;
  switch (Math.sign(dropped - 0.5)) {
    case -1:
      rounded = kept;
      break;
    case 1:
      rounded = kept + 1;
      break;
    default:
      rounded = kept + (kept % 2);
  }
  const whole = Math.trunc(rounded / 100);
  const part = `${rounded % 100}`.padStart(2, '0');
  return (rounded === 0 ? '' : minus) + whole + '.' + part;
}

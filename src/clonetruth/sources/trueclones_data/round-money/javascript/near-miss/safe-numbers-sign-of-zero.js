const toMoney = (amount) => {
  const magnitude = amount.replace(/^-/, '');
  const at = magnitude.indexOf('.');
  const behind = at < 0 ? 0 : magnitude.length - at - 1;
  // an integer below 10^11, so that no digit is lost
  const units = Number(magnitude.replace('.', '')) * 10 ** (5 - behind);
  const cents = Math.floor(units / 1000);
  const half = units - cents * 1000 - 500;
  const result = half > 0 || (half === 0 && cents % 2 !== 0) ? cents + 1 : cents;
  const sign = amount[0] === '-' && units !== 0 ? '-' : '';
  return sign + Math.floor(result / 100) + '.' + Math.floor((result / 10) % 10) + (result % 10);
};

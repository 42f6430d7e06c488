function rank(number) {
  const stems = {
    1: ['one', 'first'], 2: ['two', 'second'], 3: ['three', 'third'], 4: ['four'], 5: ['five', 'fifth'], 6: ['six'],
    7: ['seven'], 8: ['eight', 'eighth'], 9: ['nine', 'ninth'], 10: ['ten'], 11: ['eleven'], 12: ['twelve', 'twelfth'],
    13: ['thirteen'], 15: ['fifteen'], 18: ['eighteen'], 20: ['twenty'], 30: ['thirty'], 50: ['fifty'],
    80: ['eighty'],
  };
  const entry = (n) => stems[n] ?? [n < 20 ? entry(n - 10)[0] + 'teen' : entry(n / 10)[0] + 'ty'];
  const last = ([plain, special]) => special ?? plain.replace(/y$/, 'ie') + 'th';
  const groups = [];
  for (const [size, name] of [[1000, 'thousand'], [100, 'hundred']]) {
    if (number >= size) groups.push(`${entry(Math.floor(number / size))[0]} ${name}`);
    number %= size;
  }
  if (number === 0) return groups.join(' ') + 'th';
  const ones = number % 10;
  if (number < 20 || ones === 0) groups.push(last(entry(number)));
  else groups.push(`${entry(number - ones)[0]}-${last(entry(ones))}`);
  return groups.join(' ');
}

function describe(count) {
  const table = [[50, 'PiB'], [40, 'TiB'], [30, 'GiB'], [20, 'MiB'], [10, 'KiB']];
  const entry = table.find(([bits]) => count >= 2 ** bits);
  if (entry === undefined) return count + ' B';
  const [bits, name] = entry;
  const text = (count / 2 ** bits).toFixed(2);
  const [whole, fraction] = text.split('.');
  return fraction[0] === '0' ? `${whole} ${name}` : `${whole}.${fraction[0]} ${name}`;
}

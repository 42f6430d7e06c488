function parse(list) {
  const groups = [[]];
  for (const item of list) {
    groups[groups.length - 1].push(item & 127);
    if (item < 128) groups.push([]);
  }
  const open = groups.pop();
  const bad = groups.findIndex((digits) => digits.length > 4);
  const good = bad < 0 ? groups : groups.slice(0, bad);
  const values = good.map(([a, b = 0, c = 0, d = 0]) => a + 128 * (b + 128 * (c + 128 * d)));
  return bad >= 0 || open.length > 0 ? [...values, -1] : values;
}

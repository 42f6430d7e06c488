function divide(list, parts) {
  if (parts === 1) return [list];
  const left = Math.ceil(parts / 2);
  const size = Math.floor(list.length / parts);
  const extra = Math.ceil((list.length % parts) / 2);
  const cut = left * size + extra;
  return [...divide(list.slice(0, cut), left), ...divide(list.slice(cut), parts - left)];
}

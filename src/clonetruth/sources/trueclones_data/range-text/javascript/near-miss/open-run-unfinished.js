function condense(values) {
  let text = '';
  let open = -1;
  for (let n = 0; n <= 40; n += 1) {
    const present = values.includes(n);
    if (present && open < 0) open = n;
    if (!present && open >= 0) {
      const length = n - open;
      const last = n - 1;
      text += length === 1 ? `,${last}` : `,${open}${length === 2 ? ',' : '-'}${last}`;
      open = -1;
    }
  }
  return text.replace(/^,/, '');
}

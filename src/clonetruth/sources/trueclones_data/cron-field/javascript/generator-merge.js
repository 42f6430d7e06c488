function expandField(field, low, high) {
  let merged = [];
  for (const item of field.split(',')) {
    const sequence = [...numbers(item, low, high)].filter((n) => low <= n && n <= high);
    merged = union(merged, sequence);
  }
  return merged;
}

function* numbers(item, low, high) {
  const [, first, last, step] = item.match(/^([*\d]+)-?(\d*)\/?(\d*)$/);
  let n = first === '*' ? low : +first;
  const end = first === '*' ? high : last === '' ? n : +last;
  while (n <= end) {
    yield n;
    n += +step || 1;
  }
}

// Both lists ascend.
function union(xs, ys) {
  const out = [];
  let i = 0, j = 0;
  while (i < xs.length || j < ys.length) {
    if (j === ys.length || xs[i] < ys[j]) out.push(xs[i++]);
    else if (i === xs.length || xs[i] > ys[j]) out.push(ys[j++]);
    else { out.push(xs[i]); i++; j++; }
  }
  return out;
}

function serve(ranges, size) {
  const comma = ranges.indexOf(',');
  const head = comma < 0 ? ranges : ranges.slice(0, comma);
  const tail = comma < 0 ? [] : serve(ranges.slice(comma + 1), size);
  const [, a, b] = /^(\d+)?-(\d+)?$/.exec(head);
  const from = a === undefined ? Math.max(size - b, 0) : parseInt(a, 10);
  const to = a === undefined || b === undefined ? size : Math.min(parseInt(b, 10) + 1, size);
  return from < to ? [[from, to - 1], ...tail] : tail;
}

function served(ranges, size) {
  const result = [];
  for (const part of ranges.split(',')) {
    const [first, last] = part.split('-');
    let start = Number(first);
    let end = !Number(last) ? size - 1 : Math.min(Number(last), size - 1);
    if (first === '') {
      start = Math.max(0, size - Number(last));
      end = size - 1;
    }
    if (start <= end) result.push([start, end]);
  }
  return result;
}

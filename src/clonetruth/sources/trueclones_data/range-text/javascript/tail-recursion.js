function format(numbers) {
  const sorted = numbers.slice().sort((a, b) => a - b).filter((n, i, all) => n !== all[i - 1]);
  return write(sorted).join(',');
}

function write(sorted) {
  if (sorted.length === 0) return [];
  const [first] = sorted;
  const split = sorted.findIndex((n, i) => n !== first + i);
  const length = split < 0 ? sorted.length : split;
  const rest = write(sorted.slice(length));
  if (length > 2) return [first + '-' + (first + length - 1), ...rest];
  return [...sorted.slice(0, length), ...rest];
}

function chunkEvenly(numbers, chunks) {
  const result = [];
  const size = Math.floor(numbers.length / chunks);
  let extra = numbers.length % chunks;
  let start = 0;
  while (result.length < chunks) {
    const end = start + size + (extra-- > 0 ? 1 : 0);
    result.push(numbers.slice(start, end));
    start = end;
  }
  return result;
}

function commonPath(paths) {
  if (paths.length === 0) return '';
  const [first, ...rest] = paths.map((path) => path.split('/'));
  let n = 0;
  while (n < first.length && rest.every((parts) => parts[n] === first[n])) n++;
  const common = first.slice(0, n).join('/');
  if (common === '' && n === 1 && !paths.includes('')) return '/';
  return common;
}

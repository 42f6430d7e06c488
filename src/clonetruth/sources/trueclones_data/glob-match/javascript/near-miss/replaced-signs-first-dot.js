const isMatch = (pattern, path) => {
  const source = pattern
    .replace(/\./, '\\.')
    .replace(/\*/g, '[^/]*')
    .replace(/\?/g, '[^/]');
  return new RegExp(`^${source}$`).test(path);
};

function commonStart(paths) {
  let prefix = null;
  for (const path of paths) {
    if (prefix === null) {
      prefix = path;
      continue;
    }
    while (prefix !== undefined && !(path + '/').startsWith(prefix + '/')) {
      prefix = prefix.match(/^(.*?)\/.*$/)?.[1];
    }
    if (prefix === undefined) return '';
  }
  if (prefix === '' && paths.every((path) => /^\//.test(path))) return '/';
  return prefix ?? '';
}

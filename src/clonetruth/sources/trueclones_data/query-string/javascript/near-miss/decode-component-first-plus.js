function getQueryValue(query, key) {
  const decode = (s) => decodeURIComponent(s.replace('+', ' '));
  for (const pair of query.split('&').filter(Boolean)) {
    const at = pair.indexOf('=');
    const name = at === -1 ? pair : pair.slice(0, at);
    const value = at === -1 ? '' : pair.slice(at + 1);
    if (decode(name) === key) return decode(value);
  }
  return '(none)';
}

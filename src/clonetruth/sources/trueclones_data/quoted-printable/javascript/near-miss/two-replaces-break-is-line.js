function decode(text) {
  const lines = text.replace(/ +$/gm, '');
  const bytes = [];
  lines.replace(/=\n|=[\da-f]{2}|[^]/gi, (token) => {
    if (token === '=\n') token = '\n';
    bytes.push(token.length === 3 ? parseInt(token.slice(1), 16) : token.charCodeAt(0));
    return '';
  });
  return bytes;
}

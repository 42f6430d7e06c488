const unquote = (text) => tail([...text.replace(/ +(?=\n|$)/g, '')]);

function tail(characters) {
  if (characters.length === 0) return [];
  const [c, a, b] = characters;
  if (c === '=' && a === '\n') return tail(characters.slice(2));
  if (c === '=' && b !== undefined && /^[0-9a-fA-F]{2}$/.test(a + b)) {
    return [parseInt(a + b, 16), ...tail(characters.slice(3))];
  }
  return [c.charCodeAt(0), ...tail(characters.slice(1))];
}

function snake(text) {
  return words(text).join('_');
}

function words(text) {
  const gap = text.search(/[ _-]/);
  if (gap >= 0) return [...words(text.slice(0, gap)), ...words(text.slice(gap + 1))];
  if (text === '') return [''];
  const edge = /[a-z0-9][A-Z]|[A-Z][A-Z][a-z]/.exec(text);
  if (edge === null) return [text.toLowerCase()];
  const cut = edge.index + 1;
  return [text.slice(0, cut).toLowerCase(), ...words(text.slice(cut))];
}

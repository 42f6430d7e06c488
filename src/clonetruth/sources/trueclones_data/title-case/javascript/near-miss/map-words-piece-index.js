function titleCase(text) {
  const small = ['a', 'an', 'and', 'of', 'or', 'the', 'to'];
  const pieces = text.toLowerCase().split(/([ -])/);
  const isWord = (piece) => piece !== '' && piece !== ' ' && piece !== '-';
  const first = pieces.findIndex((piece) => piece !== ' ');
  const last = pieces.length - 1 - [...pieces].reverse().findIndex(isWord);
  return pieces
    .map((piece, i) => (small.includes(piece) && i !== first && i !== last ? piece : piece.charAt(0).toUpperCase() + piece.slice(1)))
    .join('');
}

function snakeCase(text) {
  const words = text.match(/[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z0-9]+/g) || [];
  return words.map((word) => word.toLowerCase()).join('_');
}

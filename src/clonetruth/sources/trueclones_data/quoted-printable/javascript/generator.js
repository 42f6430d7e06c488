function bytes(text) {
  return [...decoded(text.split('\n').map((line) => line.replace(/ *$/, '')).join('\n'))];
}

function* decoded(text) {
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '=') {
      if (text[i + 1] === '\n') {
        i += 1;
        continue;
      }
      const value = Number('0x' + text.slice(i + 1, i + 3));
      if (i + 2 < text.length && !Number.isNaN(value) && !/\s/.test(text[i + 2])) {
        yield value;
        i += 2;
        continue;
      }
    }
    yield text.charCodeAt(i);
  }
}

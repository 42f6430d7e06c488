function substitute(text, names, values) {
  let result = '';
  let i = 0;
  while (i < text.length) {
    const c = text[i];
    if (c === '{' && text[i + 1] === c) {
      result += c;
      i += 2;
      continue;
    }
    if (c === '{') {
      let j = i + 1;
      while (j < text.length && text[j] >= 'a' && text[j] <= 'z') j++;
      if (j > i + 1 && text[j] === '}') {
        const k = names.indexOf(text.slice(i + 1, j));
        result += k !== -1 && k < values.length ? values[k] : text.slice(i, j + 1);
        i = j + 1;
        continue;
      }
    }
    result += c;
    i++;
  }
  return result;
}

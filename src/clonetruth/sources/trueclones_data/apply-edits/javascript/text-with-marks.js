function run(lines, edits) {
  let text = ['0:', ...lines.map((line, i) => `${i + 1}=${line}`)].map((one) => one + ';').join('');
  for (const edit of edits) {
    const n = edit[0];
    if (edit[1] === '+') {
      text = text.replace(new RegExp(`(${n}[:=-][^;]*;(?:\\+[^;]*;)*)`), `$1${edit.slice(1)};`);
    } else if (n !== '0') {
      text = text.replace(new RegExp(`${n}[=-][^;]*;`), `${edit};`);
    }
  }
  const parts = text.slice(0, -1).split(';');
  return parts.filter((one) => /^\d?[=+]/.test(one)).map((one) => one.replace(/^\d?[=+]/, ''));
}

function encode(text) {
  const escaped = text
    .replace(/[\\"/]/g, '\\$&')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r')
    .replace(/\t/g, '\\t')
    .replace(/\f/g, '\\f')
    .replace(/[\b]/g, '\\b')
    .split('')
    .map((unit) => (/[ -~]/.test(unit) ? unit : '\\u' + unit.charCodeAt(0).toString(16).padStart(4, '0')));
  return '"' + escaped.join('') + '"';
}

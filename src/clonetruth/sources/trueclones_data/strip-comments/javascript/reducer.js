function uncomment(program) {
  const start = { mode: 'code', out: '', last: '' };
  const end = [...program].reduce((s, c) => step[s.mode](s, c), start);
  return end.out;
}

var step = {
  code(s, c) {
    const pair = s.last + c;
    const before = s.out.slice(0, -1);
    if (pair === '//') return { mode: 'line', out: before, last: '' };
    if (pair === '/*') return { mode: 'block', out: before + ' ', last: '' };
    return { mode: c === '"' ? 'string' : 'code', out: s.out + c, last: c === '"' ? '' : c };
  },
  line: (s, c) => (c === '\n' ? { mode: 'code', out: s.out + c, last: c } : s),
  block(s, c) {
    return s.last === '*' && c === '/' ? { ...s, mode: 'code', last: '' } : { ...s, last: c };
  },
  string(s, c) {
    const escaped = s.last === '\\';
    const mode = c === '"' && !escaped ? 'code' : 'string';
    return { mode, out: s.out + c, last: escaped ? '' : c };
  },
};

function solve(s) {
  s = s.replace(/\b0+(?=\d)/g, '');
  const number = '(-?\\d+)';
  const step = (pattern, fn) => {
    const replaced = s.replace(pattern, fn);
    const changed = replaced !== s;
    s = replaced;
    return changed;
  };
  const num = (x) => '[' + x + ']';
  s = s.replace(/\d+/g, num);
  const v = '\\[' + number + '\\]';
  const times = new RegExp(v + '\\*' + v);
  const plus = new RegExp('(^|\\()' + v + '([-+])' + v);
  const bare = new RegExp('\\(' + v + '\\)');
  for (;;) {
    if (step(bare, (_, a) => num(a))) continue;
    if (step(times, (_, a, b) => num(a * b + 0))) continue;
    if (step(plus, (_, open, a, op, b) => open + num(op === '+' ? +a + +b : a - b))) continue;
    return parseInt(s.slice(1, -1), 10);
  }
}

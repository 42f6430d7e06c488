function satisfies(version, range) {
  const have = parse(version);
  const conditions = range.split(/ |\|\|/);
  const check = (condition) => {
    const [, sign, text] = /^(\D*)(.*)$/.exec(condition);
    const want = parse(text);
    const order = compare(have, want);
    if (sign === '') return order === 0;
    if (sign === '<') return order < 0;
    if (sign === '>=') return order >= 0;
    const keep = sign === '~' ? 2 : want[0] > 0 ? 1 : want[1] > 0 ? 2 : 3;
    return order >= 0 && compare(have.slice(0, keep), want.slice(0, keep)) === 0;
  };
  return range.includes('||') ? conditions.some(check) : conditions.every(check);
}

function parse(text) {
  return text.split('.').map(String);
}

function compare(a, b) {
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return 0;
}

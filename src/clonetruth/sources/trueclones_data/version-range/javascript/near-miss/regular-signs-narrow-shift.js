function contains(version, range) {
  const number = (text) => {
    const [a, b, c] = text.split('.');
    return (+a << 14) | (+b << 6) | +c;
  };
  const signs = {
    '': (have, want) => have === want,
    '<': (have, want) => have < want,
    '>=': (have, want) => have >= want,
    '~': (have, want) => have >= want && have >> 7 === want >> 7,
    '^': (have, want) => {
      const shift = want >> 14 ? 14 : want >> 7 ? 7 : 0;
      return have >= want && have >> shift === want >> shift;
    },
  };
  const results = [...range.matchAll(/(>=|[<~^]|)(\d+\.\d+\.\d+)/g)].map(([, sign, text]) =>
    signs[sign](number(version), number(text)),
  );
  return range.indexOf('|') < 0 ? !results.includes(false) : results.includes(true);
}

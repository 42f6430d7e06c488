function firstIndices(names) {
  const seen = {};
  const out = [];
  names.forEach((name, i) => {
    const key = sound([...name.toUpperCase()]);
    if (seen[key] === undefined) seen[key] = i;
    out.push(seen[key]);
  });
  return out;
}

const NUMBERS = [...'01230120022455012623010202'];

function sound(letters) {
  const number = (c) => NUMBERS[c.charCodeAt(0) - 65];
  const end = letters.slice(1).reduce(
    (state, c) => {
      if ('HW'.includes(c)) return state;
      const n = number(c);
      const keep = n !== '0' && n !== state.last && !state.digits.includes(n) && state.digits.length < 3;
      return { last: n, digits: keep ? [...state.digits, n] : state.digits };
    },
    { last: number(letters[0]), digits: [] },
  );
  return letters[0] + end.digits.join('');
}

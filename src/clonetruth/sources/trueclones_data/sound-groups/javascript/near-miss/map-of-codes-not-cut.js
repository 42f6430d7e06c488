function soundGroups(names) {
  const first = new Map();
  return names.map((name, index) => {
    const code = soundex(name);
    if (!first.has(code)) first.set(code, index);
    return first.get(code);
  });
}

function soundex(name) {
  const table = { b: 1, f: 1, p: 1, v: 1, c: 2, g: 2, j: 2, k: 2, q: 2, s: 2, x: 2, z: 2, d: 3, t: 3, l: 4, m: 5, n: 5, r: 6 };
  const letters = name.toLowerCase();
  let code = letters[0];
  let last = table[letters[0]];
  for (const letter of letters.slice(1)) {
    if (letter === 'h' || letter === 'w') continue;
    const digit = table[letter];
    if (digit && digit !== last) code += digit;
    last = digit;
  }
  return code.padEnd(4, '0');
}

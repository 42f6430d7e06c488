const clean = (program) => {
  const same = (token) => token;
  const rules = [
    [/"(?:[^"\\]|\\[^])*(?:"|\\?$)/y, same],
    [/\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/y, () => ' '],
    [/\/\/[^\n]*/y, () => ''],
    [/[^]/y, same],
  ];
  let out = '';
  let at = 0;
  while (at < program.length) {
    for (const [pattern, keep] of rules) {
      pattern.lastIndex = at;
      const found = pattern.exec(program);
      if (found === null) continue;
      out += keep(found[0]);
      at = pattern.lastIndex;
      break;
    }
  }
  return out;
};

function semverOrder(v1, v2) {
  const keys = [v1, v2].map((v) => {
    const [version, ...builds] = v.split('+');
    if (builds.length > 1 || (builds.length === 1 && !validNames(builds[0]))) return null;
    const cut = version.indexOf('-');
    const core = cut < 0 ? version : version.slice(0, cut);
    const pre = cut < 0 ? null : version.slice(cut + 1);
    const numbers = core.split('.');
    if (numbers.length !== 3 || !numbers.every(canonical)) return null;
    const head = numbers.map((n) => n.padStart(9, '0')).join('');
    if (pre === null) return head + '~';
    if (!validNames(pre)) return null;
    const names = pre.split('.');
    if (names.some((n) => !Number.isNaN(Number(n)) && /^\d+$/.test(n) && !canonical(n))) return null;
    return head + names.map((n) => (canonical(n) ? '"' + n.padStart(1, '0') : '#' + n)).join('!') + '!';
  });
  if (keys.includes(null)) return -2;
  return keys[0] === keys[1] ? 0 : keys[0] < keys[1] ? -1 : 1;
}

function validNames(text) {
  return text.split('.').every((name) => /^[A-Za-z0-9-]+$/.test(name));
}

function canonical(text) {
  return /^\d+$/.test(text) && String(parseInt(text, 10)) === text;
}

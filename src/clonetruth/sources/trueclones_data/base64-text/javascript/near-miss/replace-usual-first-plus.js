function encodeBytes(data, forUrl) {
  const text = usual(data);
  return forUrl ? text.replace(/\+/, '-').replace(/\//g, '_').replace(/=+$/, '') : text;
}

function usual([a, b, c, ...rest]) {
  if (a === undefined) return '';
  const number = a * 65536 + (b ?? 0) * 256 + (c ?? 0);
  const four = [262144, 4096, 64, 1].map((unit) => symbol(Math.floor(number / unit) % 64));
  if (b === undefined) four.splice(2, 2, '=', '=');
  else if (c === undefined) four[3] = '=';
  return four.join('') + usual(rest);
}

function symbol(n) {
  const ranges = [['A', 26], ['a', 26], ['0', 10], ['+', 1], ['/', 1]];
  for (const [first, size] of ranges) {
    if (n < size) return String.fromCharCode(first.charCodeAt(0) + n);
    n -= size;
  }
}

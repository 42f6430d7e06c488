function encode(data, forUrl) {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789' + (forUrl ? '-_' : '+/');
  let text = '';
  for (let i = 0; i < data.length; i += 3) {
    const [a, b, c] = data.slice(i, i + 3);
    text += alphabet[a >> 2];
    text += alphabet[((a & 3) << 4) | (b >> 4)];
    if (b === undefined) {
      text += forUrl ? '' : '==';
    } else {
      text += alphabet[((b & 7) << 2) | (c >> 6)];
      if (c !== undefined) text += alphabet[c & 63];
      else if (!forUrl) text += '=';
    }
  }
  return text;
}

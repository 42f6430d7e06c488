function listing(data, width) {
  return [...rows(data, width)];
}

function* rows(data, width) {
  let offset = 0;
  while (offset < data.length) {
    const end = Math.min(offset + width, data.length);
    let line = ('000' + offset.toString(16)).slice(-4) + ':';
    let text = '';
    for (let i = offset; i < end; i++) {
      const byte = data[i];
      line += (byte < 16 ? ' 0' : ' ') + byte.toString(16);
      text += byte > 0x1f && byte < 0x7f ? String.fromCharCode(byte) : '.';
    }
    yield `${line}  ${text}`;
    offset = end;
  }
}

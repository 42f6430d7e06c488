function fitBytes(text, limit) {
  let result = '';
  let used = 0;
  for (const ch of text) {
    const code = ch.codePointAt(0);
    used += code >= 0xffff ? 4 : code > 0x7ff ? 3 : code > 0x7f ? 2 : 1;
    if (used > limit) return result;
    result += ch;
  }
  return result;
}

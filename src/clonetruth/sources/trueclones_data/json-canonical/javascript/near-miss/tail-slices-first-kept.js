function compact(text) {
  const found = readValue(text.trim());
  return found && found.rest === '' ? found.value : 'error';
}

// Each reader takes the text that is left and returns what it read with the rest, or null.
function readValue(s) {
  if (s[0] === '[') return readList(s.slice(1).trimStart(), ']', readValue, (items) => items.join(','), '[');
  if (s[0] === '{') {
    const join = (pairs) => {
      const last = pairs.filter(([key], i) => !pairs.slice(0, i).some(([other]) => other === key));
      return last.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => `"${key}":${value}`).join(',');
    };
    return readList(s.slice(1).trimStart(), '}', readPair, join, '{');
  }
  const m = /^("[^"]*"|(?:0|[1-9][0-9]*|true|false|null)(?![a-z0-9]))/.exec(s);
  return m && { value: m[1], rest: s.slice(m[1].length).trimStart() };
}

function readPair(s) {
  const m = /^"([^"]*)" *: */.exec(s);
  if (!m) return null;
  const read = readValue(s.slice(m[0].length));
  return read && { value: [m[1], read.value], rest: read.rest };
}

function readList(s, close, readItem, join, open) {
  const items = [];
  let rest = s;
  if (rest[0] === close) return { value: open + close, rest: rest.slice(1).trimStart() };
  for (;;) {
    const item = readItem(rest);
    if (!item) return null;
    items.push(item.value);
    rest = item.rest;
    if (rest[0] === close) return { value: open + join(items) + close, rest: rest.slice(1).trimStart() };
    if (rest[0] !== ',') return null;
    rest = rest.slice(1).trimStart();
  }
}

function canonical(text) {
  // exponents are the only thing that the parser accepts beyond the rules
  if (/\de$/.test(text.replace(/"[^"]*"/g, '""'))) return 'error';
  const write = (value) => {
    if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
    if (value === null || typeof value !== 'object') return JSON.stringify(value);
    const members = Object.keys(value).sort().map((key) => `"${key}":${write(value[key])}`);
    return `{${members.join(',')}}`;
  };
  try {
    return write(JSON.parse(text));
  } catch (problem) {
    return 'error';
  }
}

const decode = (bytes) => {
  const result = [];
  for (const value of values(bytes)) {
    if (value === undefined) return [-1];
    result.push(value);
  }
  return result;
};

// Yields undefined where a byte is missing.
function* values(bytes) {
  const rest = bytes[Symbol.iterator]();
  for (let head = rest.next(); !head.done; head = rest.next()) {
    const n = head.value;
    if (n > 128) {
      const { value } = rest.next();
      for (let k = n; k < 257; k++) yield value;
    } else if (n < 128) {
      for (let k = 0; k <= n; k++) yield rest.next().value;
    }
  }
}

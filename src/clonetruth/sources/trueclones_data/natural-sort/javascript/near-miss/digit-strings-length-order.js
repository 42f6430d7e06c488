function arrange(names) {
  const out = [];
  for (const name of names) {
    let at = out.length;
    while (at > 0 && smaller(name, out[at - 1])) at--;
    out.splice(at, 0, name);
  }
  return out;
}

// Compares runs of digits without numbers: leading zeros go, then the longer run is larger.
function smaller(a, b) {
  const isDigit = (c) => c !== undefined && c >= '0' && c <= '9';
  let i = 0, j = 0;
  while (i < a.length && j < b.length) {
    if (isDigit(a[i]) && isDigit(b[j])) {
      while (a[i] === '0') i++;
      while (b[j] === '0') j++;
      let p = i, q = j;
      while (isDigit(a[p])) p++;
      while (isDigit(b[q])) q++;
      if (p - i !== q - j) return p - i < q - j;
      const x = a.slice(i, p), y = b.slice(j, q);
      if (x !== y) return x < y;
      i = p;
      j = q;
    } else {
      if (a[i] !== b[j]) return a[i] < b[j];
      i++;
      j++;
    }
  }
  return a.length < b.length;
}

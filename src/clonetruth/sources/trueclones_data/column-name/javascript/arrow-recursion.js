const name = (n) => (n < 1 ? '' : name(((n - 1) / 26) | 0) + 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[(n - 1) % 26]);

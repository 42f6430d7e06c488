const name = (n) => (n < 1 ? '' : name((n / 26) | 0) + 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[(n - 1) % 26]);

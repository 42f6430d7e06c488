const toSnake = (name) =>
  name
    .replace(/[A-Z]/g, (letter, at) => {
      const before = name[at - 1] || '';
      const after = name[at + 1] || '';
      const starts = /[a-z0-9]/.test(before) || (/[A-Z]/.test(before) && /[a-z]/.test(after));
      return (starts ? ' ' : '') + letter;
    })
    .split(/[\s_-]+/)
    .filter(Boolean)
    .join('_')
    .toLowerCase();

const sortNames = (names) =>
  names
    .map((name, index) => ({ name, index, key: name.replace(/\d+/g, (d) => `${+d}/`) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.index - b.index))
    .map(({ name }) => name)

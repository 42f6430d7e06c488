const find = (lines, section, key) =>
  lines
    .map((line) => line.trim())
    .filter((line) => !/^[;#]/.test(line))
    .reduce(
      ({ here, value }, line) => {
        const heading = /^\[(.*)\]$/.exec(line)
        if (heading) return { here: heading[1].trim() === section, value }
        const [name, ...rest] = line.split('=')
        const set = here && rest.length > 0 && name.trim() === key
        return { here, value: set ? rest.join('=').trim() : value }
      },
      { here: false, value: '(missing)' },
    ).value

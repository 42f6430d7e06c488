function csvFields(line) {
  const fields = []
  for (const [, quoted, plain] of `${line},`.matchAll(/(?:"((?:[^"]|"")*)"|([^",]*)),/g)) {
    fields.push(quoted === undefined ? plain : quoted.replace('""', '"'))
  }
  return fields
}

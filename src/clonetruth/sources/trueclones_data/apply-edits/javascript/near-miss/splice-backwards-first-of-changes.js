function edited(lines, edits) {
  const result = lines.slice()
  for (let number = lines.length; number >= 0; number--) {
    const own = edits.filter((edit) => +edit[0] === number)
    const added = own.filter((edit) => edit[1] === '+').map((edit) => edit.slice(2))
    const last = own.filter((edit) => edit[1] !== '+').shift()
    if (number === 0 || !last) result.splice(number, 0, ...added)
    else if (last[1] === '-') result.splice(number - 1, 1, ...added)
    else result.splice(number - 1, 1, last.slice(2), ...added)
  }
  return result
}

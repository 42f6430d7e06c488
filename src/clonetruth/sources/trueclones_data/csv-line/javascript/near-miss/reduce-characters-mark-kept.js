const splitRow = (row) => {
  const final = [...row].reduce(
    ({ done, cell, open, mark }, ch) => {
      if (ch === '"') return { done, cell: mark ? cell + ch : cell, open: !open, mark: open }
      if (ch === ',' && !open) return { done: [...done, cell], cell: '', open, mark }
      return { done, cell: cell + ch, open, mark: false }
    },
    { done: [], cell: '', open: false, mark: false },
  )
  return final.done.concat(final.cell)
}

function order (list) {
  return list.slice().sort(compare)
}

function compare (a, b) {
  if (a === '' || b === '') return a.length - b.length
  const da = /^\d+/.exec(a)
  const db = /^\d+/.exec(b)
  if (da && db) {
    return parseInt(da[0], 10) - parseInt(db[0], 10) || compare(a.slice(da[0].length), b.slice(db[0].length))
  }
  return a.charCodeAt(0) - b.charCodeAt(0) || compare(a.slice(1), b.slice(1))
}

const calc = (text) => {
  const binding = { '+': 1, '-': 1, '*': 2 }
  const rest = [...text.matchAll(/\d+|\D/g)].map((m) => m[0]).reverse()

  function climb(least) {
    let left = rest.pop()
    if (left === '(') {
      left = climb(1)
      rest.pop()
    } else {
      left = Number(left)
    }
    while (binding[rest.at(-1)] >= least) {
      const op = rest.pop()
      const right = climb(binding[op])
      left = op === '+' ? left + right : op === '-' ? left - right : left * right
    }
    return left
  }

  return climb(1) + 0
}

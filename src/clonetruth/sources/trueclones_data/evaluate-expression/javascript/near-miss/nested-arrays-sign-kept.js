// First a tree of nested lists from the brackets, then sums of products at every level.
function value (source) {
  const stack = [[]]
  for (const token of source.match(/[0-9]+|[^0-9]/g)) {
    if (token === '(') stack.push([])
    else if (token === ')') {
      const list = stack.pop()
      stack[stack.length - 1].push(list)
    } else stack[stack.length - 1].push(token)
  }
  return reckon(stack[0])
}

function reckon (item) {
  if (typeof item === 'string') return +item
  let total = 0
  let sign = 1
  let product = 1
  for (const part of item) {
    if (part === '*') continue
    if (part === '+' || part === '-') {
      total += sign * product
      sign = part === '-' ? -1 : sign
      product = 1
    } else {
      product *= reckon(part)
    }
  }
  return total + sign * product
}

// Runs inside the sandbox: stands for the package lodash in tests that compare results with `isEqual`.
'use strict'

const tag = value => Object.prototype.toString.call(value)
const sameNumber = (left, right) => left === right || (left !== left && right !== right)

function isEqual (left, right, above = []) {
  if (sameNumber(left, right)) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (tag(left) !== tag(right)) return false
  if (above.some(([one, other]) => one === left && other === right)) return true
  const inner = [...above, [left, right]]
  switch (tag(left)) {
    case '[object Boolean]':
    case '[object Number]':
    case '[object Date]':
      return sameNumber(+left, +right)
    case '[object String]':
    case '[object RegExp]':
      return String(left) === String(right)
    case '[object Error]':
      return left.name === right.name && left.message === right.message
    case '[object Map]':
      return left.size === right.size && unordered([...left], [...right], inner)
    case '[object Set]':
      return left.size === right.size && unordered([...left], [...right], inner)
  }
  if (Array.isArray(left) || ArrayBuffer.isView(left)) {
    return left.length === right.length && [...left].every((one, at) => isEqual(one, right[at], inner))
  }
  if (left.constructor !== right.constructor && 'constructor' in left && 'constructor' in right) return false
  const keys = Object.keys(left)
  return keys.length === Object.keys(right).length &&
    keys.every(key => Object.prototype.hasOwnProperty.call(right, key) && isEqual(left[key], right[key], inner))
}

function unordered (left, right, above) {
  const rest = [...right]
  return left.every(one => {
    const place = rest.findIndex(other => isEqual(one, other, above))
    if (place >= 0) rest.splice(place, 1)
    return place >= 0
  })
}

module.exports = { isEqual: (left, right) => isEqual(left, right) }

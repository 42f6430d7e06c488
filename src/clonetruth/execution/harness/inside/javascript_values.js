// Runs inside the sandbox: values of JavaScript in the form of `execution.values`, and back.
//
// It runs in a realm that fragments do not share, so that nothing they do to `Array`, `Object` or `JSON` matters here. It
// asks what a value is by its internal slots, never by its methods: proxies are opaque, and getters and
// returned functions are called only where the time for a call limits them.
'use strict'

const { types } = require('util')

const MAX_ITEMS = 10000
const MAX_TEXT = 200000
const MAX_DEPTH = 40
const LARGEST = 2 ** 53

// The methods as they are before any fragment runs.
const call = Function.prototype.call
const uncurried = method => call.bind(method)
const mapEntries = uncurried(Map.prototype.entries)
const setValues = uncurried(Set.prototype.values)
const timeOf = uncurried(Date.prototype.getTime)
const isoOf = uncurried(Date.prototype.toISOString)
const FIRST_YEAR = Date.parse('0001-01-01T00:00:00Z')
const LAST_YEAR = Date.parse('9999-12-31T23:59:59.999Z')
const TypedArray = Object.getPrototypeOf(Uint8Array)
const typedName = uncurried(Object.getOwnPropertyDescriptor(TypedArray.prototype, Symbol.toStringTag).get)
const typedLength = uncurried(Object.getOwnPropertyDescriptor(TypedArray.prototype, 'length').get)
const sourceOf = uncurried(Object.getOwnPropertyDescriptor(RegExp.prototype, 'source').get)
const flagsOf = uncurried(Object.getOwnPropertyDescriptor(RegExp.prototype, 'flags').get)
const textOf = uncurried(Function.prototype.toString)
const hrefOf = uncurried(Object.getOwnPropertyDescriptor(URL.prototype, 'href').get)
const queryEntries = uncurried(URLSearchParams.prototype.entries)

// The same as in python_values.py: arguments that returned functions are called with, by their number.
const int = number => ({ int: String(number) })
const ANY_TWO = [[int(1), int(2)], [int(5), int(3)], [int(-1), int(0)], ['a', 'b'], [{ list: [int(3), int(1)] }, int(1)]]
const CALLS = [
  [[], [], []],
  [
    ...[0, 1, -1, 2, 3, 10, 100].map(number => [int(number)]), [{ float: '0x1p-1' }], ['a'], ['b c'],
    [{ list: [int(3), int(1)] }], [{ function: ['function', [int(1), int(4)]] }]
  ],
  ANY_TWO,
  ANY_TWO.map(given => [...given, int(2)])
]
const RAISES = { enum: ['outcome', 'raises an exception'] }
const UNFIT = { opaque: 'arguments of another type' }
const MOST_CALLS_IN_CALLS = 2

// The form of a number: a whole one up to 2^53 is an int, everything else a float, exactly.
function numberForm (value) {
  if (Number.isInteger(value) && Math.abs(value) <= LARGEST && !Object.is(value, -0)) return { int: String(value) }
  return { float: hexadecimal(value) }
}

function hexadecimal (value) {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  const bits = view.getBigUint64(0)
  const sign = bits >> 63n ? '-' : ''
  const exponent = Number((bits >> 52n) & 0x7ffn)
  const fraction = (bits & 0xfffffffffffffn).toString(16).padStart(13, '0')
  if (exponent === 0) return `${sign}0x0.${fraction}p-1022`
  return `${sign}0x1.${fraction}p${exponent - 1023}`
}

function fromHexadecimal (text) {
  const special = { nan: NaN, inf: Infinity, '-inf': -Infinity }
  if (text in special) return special[text]
  const [, sign, whole, fraction, exponent] = /^(-?)0x([0-9a-f]+)\.?([0-9a-f]*)p([+-]?\d+)$/.exec(text)
  const digits = BigInt(`0x${whole}${fraction}`)
  const power = Number(exponent) - 4 * fraction.length
  // Two steps, so that neither overflows nor loses digits before the end.
  const half = Math.trunc(power / 2)
  return (sign ? -1 : 1) * Number(digits) * 2 ** half * 2 ** (power - half)
}

// A moment, in UTC, as the sandbox has it; one that ISO 8601 writes with more than four digits of a year by its number.
function dateForm (time) {
  if (!(time >= FIRST_YEAR && time <= LAST_YEAR)) return { object: ['Date', [['time', numberForm(time)]]] }
  return { datetime: isoOf(new Date(time)).slice(0, -1) }
}

// Half a pair of surrogates cannot be sent.
function textForm (value) {
  if (value.length > MAX_TEXT) return { cut: 'string' }
  return value.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    one => '\\u' + one.charCodeAt(0).toString(16))
}

// A property without calling anything: its value, or undefined if it is computed.
function dataOf (value, key) {
  const descriptor = Object.getOwnPropertyDescriptor(value, key)
  return descriptor !== undefined && 'value' in descriptor ? descriptor.value : undefined
}

function prototypeOf (value) {
  return types.isProxy(value) ? null : Object.getPrototypeOf(value)
}

// The name of the class of an object; '' for plain objects.
function className (value) {
  const prototype = prototypeOf(value)
  if (prototype === null || types.isProxy(prototype) || Object.getPrototypeOf(prototype) === null) return ''
  const made = dataOf(prototype, 'constructor')
  const name = typeof made === 'function' && !types.isProxy(made) ? dataOf(made, 'name') : ''
  return typeof name === 'string' ? name.slice(0, 100) : ''
}

// Whether objects keep something that is no property: private fields, or what a class of Node has elsewhere.
function hasHiddenState (value) {
  for (let one = prototypeOf(value); one !== null && one !== undefined; one = prototypeOf(one)) {
    if (types.isProxy(one)) return true
    const made = dataOf(one, 'constructor')
    if (typeof made !== 'function' || types.isProxy(made) || Object.getPrototypeOf(one) === null) continue
    if (/#[\w$]|\[native code\]/.test(textOf(made))) return true
  }
  return false
}

// With how many arguments a function is called: as many as it names, or one and two if it takes any number.
function countsOf (value) {
  const least = Number(dataOf(value, 'length')) || 0
  const text = textOf(value)
  const takesMore = /^[^(]*\([^)]*\.\.\./.test(text) || (/^(async\s+)?function\b/.test(text) && /\barguments\b/.test(text))
  return takesMore ? [Math.max(least, 1), Math.max(least, 1) + 1] : [least]
}

class Writer {
  // `draw` takes values from an iterator, `call` calls a function on an object: `value`, or whether its arguments were
  // unfit. Without the latter, functions are opaque.
  constructor (draw, call = null) {
    this.draw = draw
    this.call = call
    this.around = 0
    this.left = MAX_ITEMS
  }

  form (value, above = []) {
    this.left--
    switch (typeof value) {
      case 'undefined': return null
      case 'boolean': return value
      case 'string': return textForm(value)
      case 'number': return numberForm(value)
      case 'bigint': {
        const digits = value.toString()
        return digits.length < 9000 ? { int: digits } : { cut: 'bigint' }
      }
      case 'symbol': return { opaque: 'symbol' }
      case 'function': return this.called(value, undefined, above)
    }
    if (value === null) return null
    if (types.isProxy(value)) return { opaque: 'Proxy' }
    if (types.isBoxedPrimitive(value)) return this.form(value.constructor === undefined ? null : unboxed(value), above)
    const place = above.indexOf(value)
    if (place >= 0) return { cycle: above.length - place }
    if (this.left < 0 || above.length >= MAX_DEPTH) return { cut: 'object' }
    return this.container(value, [...above, value])
  }

  // What a returned function does, called with a few arguments: another function that does the same is equal.
  called (value, self, above) {
    const unknown = { opaque: 'function' }
    if (this.call === null || this.around >= MOST_CALLS_IN_CALLS || types.isProxy(value)) return unknown
    const calls = countsOf(value).flatMap(count => CALLS[count] || []).map(given => this.outcome(value, self, given, above))
    // Of one that takes none of these arguments, nothing is known.
    return calls.every(([, outcome]) => outcome === RAISES || outcome === UNFIT) ? unknown : { called: calls }
  }

  // A call of a function with its outcome.
  outcome (value, self, given, above) {
    this.around++
    const found = this.call(value, self, given)
    const outcome = 'value' in found ? this.form(found.value, above) : found.isUnfit ? UNFIT : RAISES
    this.around--
    return [given, outcome]
  }

  container (value, inner) {
    if (Array.isArray(value)) return { list: this.elements(value, value.length, inner) }
    if (types.isTypedArray(value)) {
      const length = typedLength(value)
      return { list: this.elements(value, length, inner) }
    }
    if (types.isAnyArrayBuffer(value)) return { bytes: Buffer.from(value.slice(0, MAX_TEXT / 2)).toString('hex') }
    if (types.isMap(value)) return { map: this.drawn(mapEntries(value), inner, ([key, one]) => [this.form(key, inner), this.form(one, inner)]) }
    if (types.isSet(value)) return { set: this.drawn(setValues(value), inner, one => this.form(one, inner)) }
    if (types.isDate(value)) return dateForm(timeOf(value))
    if (types.isRegExp(value)) return { object: ['RegExp', [['source', textForm(sourceOf(value))], ['flags', flagsOf(value)]]] }
    if (types.isGeneratorObject(value) || types.isMapIterator(value) || types.isSetIterator(value) || isArrayIterator(value)) {
      const found = this.draw(value)
      if (found === null) return { cut: 'iterator' }
      return { iterator: this.elements(found, found.length, inner) }
    }
    if (types.isNativeError(value)) {
      const fields = Object.keys(value).filter(key => key !== 'message').map(key => [textForm(key), this.form(dataOf(value, key), inner)])
      return { object: [errorName(value), [['message', this.form(dataOf(value, 'message'), inner)], ...fields]] }
    }
    if (types.isPromise(value) || types.isWeakMap(value) || types.isWeakSet(value) || types.isModuleNamespaceObject(value)) {
      return { opaque: className(value) || 'object' }
    }
    const known = this.ofNode(value)
    if (known !== null) return known
    return hasHiddenState(value) ? { opaque: className(value) || 'object' } : this.fields(value, inner)
  }

  // Objects of classes of Node, whose fields are private: they are asked, and refuse if they are of another class.
  ofNode (value) {
    const name = className(value)
    try {
      if (name === 'URL') return { object: ['URL', [['href', textForm(hrefOf(value))]]] }
      if (name === 'URLSearchParams') return { list: this.drawn(queryEntries(value), [], one => ({ list: one.map(textForm) })) }
    } catch {
      // A class of the fragment with this name.
    }
    return null
  }

  elements (value, length, inner) {
    const found = []
    for (let at = 0; at < length; at++) {
      if (this.left < 0) {
        found.push({ cut: 'values' })
        break
      }
      found.push(types.isTypedArray(value) ? this.form(value[at]) : this.form(dataOf(value, at), inner))
    }
    return found
  }

  drawn (entries, inner, form) {
    const found = []
    for (const one of entries) {
      if (this.left < 0) break
      found.push(form(one))
    }
    return this.left < 0 ? [...found.slice(0, 100), ...(found[0] instanceof Array ? [[{ cut: 'values' }, null]] : [{ cut: 'values' }])] : found
  }

  computed (getter, self, inner) {
    const found = this.call === null || getter === undefined ? {} : this.call(getter, self, [])
    return 'value' in found ? this.form(found.value, inner) : { opaque: 'getter' }
  }

  // An object: of a class by its fields, else a map. Keys that are written like numbers may have been numbers.
  fields (value, inner) {
    const name = className(value)
    const entries = []
    const descriptors = Object.keys(value).map(key => [key, Object.getOwnPropertyDescriptor(value, key)])
    // Functions behind the data that they may change, and in the same order whatever the order of the keys is.
    const isData = ([, descriptor]) => 'value' in descriptor && typeof descriptor.value !== 'function'
    const computed = descriptors.filter(one => !isData(one)).sort(([one], [other]) => (one < other ? -1 : 1))
    const ordered = [...descriptors.filter(isData), ...computed]
    for (const [key, descriptor] of ordered) {
      if (this.left < 0) return { cut: 'object' }
      const one = 'value' in descriptor
        ? typeof descriptor.value === 'function' ? this.called(descriptor.value, value, inner) : this.form(descriptor.value, inner)
        : this.computed(descriptor.get, value, inner)
      const said = textForm(key)
      entries.push([name === '' && isNumeric(key) ? { key } : said, one])
    }
    // What one function does may show in what another one does then.
    for (const [at, [, descriptor]] of ordered.entries()) {
      const form = entries[at][1]
      if (!('value' in descriptor) || form === null || form.called === undefined) continue
      const again = form.called.slice(0, 2)
      for (const [given] of again) form.called.push(this.outcome(descriptor.value, value, given, inner))
    }
    if (name === '') return { map: entries }
    entries.sort((one, other) => (one[0] < other[0] ? -1 : 1))
    return { object: [name, entries] }
  }
}

const isNumeric = key => key.length < 40 && key === String(Number(key)) && Number.isFinite(Number(key))

// Iterators of arrays have no slot that can be asked: their prototype decides.
const isArrayIterator = value => {
  const prototype = prototypeOf(value)
  return prototype !== null && !types.isProxy(prototype) && ['Array Iterator', 'String Iterator', 'RegExp String Iterator']
    .includes(dataOf(prototype, Symbol.toStringTag))
}

function unboxed (value) {
  if (types.isNumberObject(value)) return Number.prototype.valueOf.call(value)
  if (types.isStringObject(value)) return String.prototype.valueOf.call(value)
  if (types.isBooleanObject(value)) return Boolean.prototype.valueOf.call(value)
  if (types.isBigIntObject(value)) return BigInt.prototype.valueOf.call(value)
  return Symbol.iterator
}

// The name of an exception: that of its class, or the one that somebody gave it.
function errorName (error) {
  if (typeof error !== 'object' || error === null || types.isProxy(error)) return `thrown ${typeof error}`
  const own = dataOf(error, 'name')
  if (typeof own === 'string' && own !== '') return own.slice(0, 200)
  return className(error) || 'Error'
}

class Reader {
  // `realm` holds the constructors of the fragment's realm, `classOf` finds one of its classes by name.
  constructor (realm, classOf) {
    this.realm = realm
    this.classOf = classOf
    this.named = new Map()
  }

  // The arguments of one call: what occurs again in one of them is the same object.
  call (forms) {
    this.named = new Map()
    return forms.map(one => this.value(one))
  }

  value (form, name) {
    if (form === null || typeof form !== 'object') return form
    const [kind] = Object.keys(form)
    const content = form[kind]
    const { realm } = this
    switch (kind) {
      case 'int': {
        const number = Number(content)
        if (Math.abs(number) > LARGEST) throw new RangeError('no number of JavaScript')
        return number
      }
      case 'float': return fromHexadecimal(content)
      case 'decimal': return Number(content)
      case 'char': return content
      case 'key': return content
      case 'bigint': return BigInt(content)
      case 'bytes': return new realm.Uint8Array(Buffer.from(content, 'hex'))
      case 'date': return new realm.Date(Date.parse(content))
      case 'datetime': return new realm.Date(Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(content) ? content : content + 'Z'))
      case 'path': return content
      case 'list':
      case 'tuple': return this.array(content)
      case 'opaque':
        if (content === 'default') return undefined
        break
      case 'function':
        if (content[0] === 'function') return realm.standIn((...given) => this.value(chosen(content[1], given)))
        break
      case 'callback': {
        const [count, results] = content
        return realm.standIn((...given) => this.value(chosen(results, given.slice(0, count))))
      }
      case 'iterator': return realm.iterate(this.array(content))
      case 'typed': return new realm[content[0]](content[1].map(one => this.value(one)))
      case 'set': return this.filled(new realm.Set(), content, (made, one) => Set.prototype.add.call(made, this.value(one)))
      case 'mapping':
        return this.filled(new realm.Map(), content, (made, [key, one]) => Map.prototype.set.call(made, this.value(key), this.value(one)))
      case 'map':
        return this.filled(new realm.Object(), content, (made, [key, one]) => define(made, propertyName(this.value(key)), this.value(one)))
      case 'named': return this.value(content[1], content[0])
      case 'same':
        if (this.named.has(content)) return this.named.get(content)
        break
      case 'object': {
        const made = content[0] === 'Object' ? undefined : this.classOf(content[0])
        const value = made === undefined ? new realm.Object() : Object.create(dataOf(made, 'prototype') || null)
        if (name !== undefined) this.named.set(name, value)
        return this.filled(value, content[1], (target, [key, one]) => define(target, key, this.value(one)))
      }
    }
    throw new RangeError(`no value of JavaScript: ${kind}`)
  }

  array (content) {
    const made = new this.realm.Array()
    content.forEach((one, at) => define(made, at, this.value(one)))
    return made
  }

  filled (made, content, add) {
    for (const one of content) add(made, one)
    return made
  }
}

// A function that stands for one that is not there: equal arguments give the same of a few results, in every language.
function chosen (results, given) {
  if (results.length === 0) return null
  const writer = new Writer(() => null)
  return results[checksum(Buffer.from(written(plain(given.map(one => writer.form(one)))))) % results.length]
}

function plain (form) {
  if (Array.isArray(form)) return form.map(plain)
  if (form === null || typeof form !== 'object') return form
  const [kind] = Object.keys(form)
  const content = form[kind]
  switch (kind) {
    case 'int': return { number: content }
    case 'key': return content
    case 'float': {
      const number = fromHexadecimal(content)
      return { number: Number.isInteger(number) ? BigInt(number).toString() : content.replace(/p(?=\d)/, 'p+') }
    }
    case 'list':
    case 'tuple':
    case 'iterator': return { list: plain(content) }
    case 'set':
    case 'map': {
      const entries = content.map(plain).map(one => [written(one), one])
      entries.sort((one, other) => (one[0] < other[0] ? -1 : one[0] > other[0] ? 1 : 0))
      return { [kind]: entries.map(one => one[1]) }
    }
    case 'object': return { object: content[1].map(plain) }
  }
  return form
}

// JSON as Python writes it.
function written (value) {
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`
  if (value !== null && typeof value === 'object') {
    return `{${Object.keys(value).map(key => `${written(key)}: ${written(value[key])}`).join(', ')}}`
  }
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, one => '\\u' + one.charCodeAt(0).toString(16).padStart(4, '0'))
}

function checksum (data) {
  let found = 0xffffffff
  for (const byte of data) {
    found ^= byte
    for (let bit = 0; bit < 8; bit++) found = (found >>> 1) ^ (found & 1 ? 0xedb88320 : 0)
  }
  return (found ^ 0xffffffff) >>> 0
}

const propertyName = key => (typeof key === 'object' && key !== null ? JSON.stringify(key) : String(key))

function define (target, key, value) {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
}

module.exports = { Writer, Reader, dataOf, errorName, className }

// Runs inside the sandbox: makes one fragment of JavaScript callable and calls it, as often as the host asks.
//
// A job is a line of JSON on standard input; each line of its answer starts with the nonce of the job. Every job runs in
// a new realm, which is no boundary (the sandbox is), but keeps what a fragment does to builtins away from this program.
// The host kills this process when it hangs, and starts a new one for the next fragment.
'use strict'

const fs = require('fs')
const util = require('util')
const vm = require('vm')
const { Worker } = require('worker_threads')
const { Writer, Reader, dataOf, errorName } = require('./javascript_values.js')

// Started anywhere else, it would run code of strangers with all rights of the user: see enclosure.py.
const status = (() => { try { return fs.readFileSync('/proc/self/status', 'latin1') } catch { return '' } })()
if (!process.getuid || process.getuid() === 0 || process.cwd() !== '/box' ||
    !['NoNewPrivs:\t1', 'Seccomp:\t2', 'CapEff:\t0000000000000000'].every(one => status.includes('\n' + one + '\n'))) {
  process.stderr.write('This program runs code of strangers, in the sandbox only.\n')
  process.exit(1)
}

// The same as in python_clock.py: code that asks for the time can be compared if it stands still.
const MOMENT = Date.UTC(2024, 2, 15, 12, 30, 45, 678)
const MAX_OUTPUT = 100000
const MAX_TIMERS = 1000
// How often a timer fires that nobody stops: each time costs the start of a watchdog.
const MAX_REPEATS = 200
const MAX_DRAWN = 1000
const TOO_LONG = 'takes too long to load'
const MODULES = new Set(['assert', 'buffer', 'crypto', 'events', 'path', 'querystring', 'string_decoder', 'url', 'util'])

// What is found from here is of no use to fragments.
const { stdout } = { stdout: 1 }
for (const name of ['binding', '_linkedBinding', 'dlopen', 'mainModule', 'kill', 'abort']) {
  try { delete process[name] } catch { process[name] = undefined }
}
process.on('unhandledRejection', () => {})
process.on('warning', () => {})

const CALL = new vm.Script('__step()', { filename: 'call' })
const REALM = new vm.Script(`(() => {
  'use strict'
  const { apply, construct } = Reflect
  const { then } = Promise.prototype
  const resolved = Promise.resolve()
  const next = Object.getPrototypeOf(function * () {}).prototype.next
  return {
    Array, Map, Set, Object, Date, Uint8Array, Int8Array, Uint16Array, Int16Array, Uint32Array, Int32Array, Float32Array,
    Float64Array, Uint8ClampedArray, BigInt64Array, BigUint64Array, Error,
    standIn: result => function standIn (...given) { return result(...given) },
    iterate: array => apply(Array.prototype.values, array, []),
    settle: (promise, box) => {
      apply(then, promise, [value => { box.state = 'value'; box.value = value }, error => { box.state = 'error'; box.value = error }])
    },
    microtask: task => { apply(then, resolved, [() => task()]) },
    draw: (iterator, most) => {
      const found = []
      for (const one of { [Symbol.iterator]: () => iterator }) {
        found[found.length] = one
        if (found.length >= most) break
      }
      return found
    },
    drawLater: async (iterator, most, box) => {
      const found = []
      try {
        for await (const one of { [Symbol.asyncIterator]: () => iterator }) {
          found[found.length] = one
          if (found.length >= most) break
        }
        box.value = found
        box.state = 'value'
      } catch (error) {
        box.value = error
        box.state = 'error'
      }
    },
    evaluate: text => (0, eval)(text),
    replace: random => {
      Object.defineProperty(Math, 'random', { value: () => random(), writable: true, configurable: true })
    },
    stopClock: moment => {
      const Running = Date
      function Stopped (...given) {
        if (new.target === undefined) return new Running(moment).toString()
        return construct(Running, given.length === 0 ? [moment] : given, new.target === Stopped ? Running : new.target)
      }
      Object.defineProperties(Stopped, {
        name: { value: 'Date' }, length: { value: 7 }, prototype: { value: Running.prototype, writable: false },
        UTC: { value: Running.UTC }, parse: { value: Running.parse }, now: { value: () => moment, writable: true, configurable: true }
      })
      Object.defineProperty(Running.prototype, 'constructor', { value: Stopped, writable: true, configurable: true })
      Object.defineProperty(globalThis, 'Date', { value: Stopped, writable: true, configurable: true })
    }
  }
})()`, { filename: 'realm' })

class Ended extends Error {}

// The share of its time that a late call must have used on the processor, so that the clock is right about it.
const BUSY = 0.8
const HANG = new vm.Script('for (;;);', { filename: 'call' })

function used () {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

// The time of calls. At first it is that of the clock, which costs least. If a call is late that the processor did not
// work for, `count` lets a second thread measure the time on the processor instead.
const time = {
  state: null,
  count () {
    const state = new Int32Array(new SharedArrayBuffer(8))
    // A signal that comes when its call is over must not end the process.
    process.on('SIGINT', () => {})
    const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 }
    new Worker('./javascript_watchdog.js', { workerData: state, resourceLimits }).unref()
    this.state = state
  },
  // Milliseconds of the kind that limits calls.
  now () {
    return this.state === null ? performance.now() : used()
  },
  // Run a script; throws if its time is over.
  limited (script, context, milliseconds) {
    const limit = Math.max(1, Math.ceil(milliseconds))
    const { state } = this
    if (state === null) return script.runInContext(context, { timeout: limit })
    const call = (state[0] + 1) | 1
    let isInterrupted = false
    state[1] = limit
    Atomics.store(state, 0, call)
    Atomics.notify(state, 0)
    try {
      return script.runInContext(context, { breakOnSigint: true })
    } catch (error) {
      isInterrupted = isTimeout(error)
      throw error
    } finally {
      // A signal that was sent when the script had just ended is not for the next one.
      if (Atomics.compareExchange(state, 0, call, call + 1) !== call && !isInterrupted) absorbSignal()
      Atomics.store(state, 0, call + 1)
      Atomics.notify(state, 0)
    }
  }
}

function absorbSignal () {
  try {
    HANG.runInContext(vm.createContext(), { breakOnSigint: true, timeout: 5000 })
  } catch {}
}

class Run {
  constructor (job) {
    this.job = job
    this.output = []
    this.length = 0
    this.timers = []
    this.now = 0
    this.count = 0
    this.exited = false
    this.task = null
    this.modules = new Map()
    this.imports = []
    this.depth = 0
    this.seed = job.seed * 2654435761 + 1013904223
    this.covered = new Uint8Array(job.points)
    this.known = new Uint8Array(job.points)
    this.context = vm.createContext(Object.create(null), {
      microtaskMode: 'afterEvaluate',
      codeGeneration: { strings: true, wasm: false }
    })
    this.realm = REALM.runInContext(this.context)
    this.realm.replace(() => this.random())
    this.realm.stopClock(MOMENT)
    this.reader = new Reader(this.realm, name => this.classOf(name))
    this.provide()
  }

  // Run a task in the realm, with what it leaves for later; throws if the time is over.
  within (task, seconds) {
    this.task = task
    time.limited(CALL, this.context, seconds * 1000)
  }

  provide () {
    const hide = (name, value) => Object.defineProperty(this.context, name, { value, writable: true, configurable: true })
    Object.defineProperty(this.context, '__step', {
      value: () => {
        const { task } = this
        this.task = null
        if (task !== null) task()
      }
    })
    Object.defineProperty(this.context, '__covered', { value: this.covered })
    const write = text => this.write(String(text))
    const log = (...values) => this.write(util.format(...values) + '\n')
    const nothing = () => {}
    hide('console', {
      log, info: log, debug: log, table: log, dir: value => log(value), error: nothing, warn: nothing, trace: nothing,
      assert: nothing, time: nothing, timeEnd: nothing, group: nothing, groupEnd: nothing, clear: nothing
    })
    const exit = () => {
      this.exited = true
      throw new Ended('exit')
    }
    const process = {
      argv: ['node', 'fragment.js'], env: {}, exit, platform: 'linux', version: 'v20.0.0', versions: { node: '20.0.0' },
      stdout: { write: text => { write(text); return true } }, stderr: { write: () => true }, on: nothing, once: nothing,
      nextTick: (task, ...values) => this.realm.microtask(() => task(...values)), cwd: () => '/box', memoryUsage: () => ({})
    }
    hide('process', process)
    const timer = repeats => (task, delay = 0, ...values) => {
      this.timers.push({ id: ++this.count, at: this.now + Math.max(1, Number(delay) || 1), task, values, repeats, delay, fired: 1 })
      return this.count
    }
    const clear = id => { this.timers = this.timers.filter(one => one.id !== id) }
    hide('setTimeout', timer(false))
    hide('setInterval', timer(true))
    hide('setImmediate', (task, ...values) => timer(false)(task, 0, ...values))
    for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate']) hide(name, clear)
    hide('queueMicrotask', task => this.realm.microtask(task))
    hide('structuredClone', value => this.reader.value(new Writer(() => null).form(value)))
    for (const name of ['TextEncoder', 'TextDecoder', 'URL', 'URLSearchParams', 'Buffer', 'btoa', 'atob']) hide(name, globalThis[name])
    const module = new this.realm.Object()
    module.exports = new this.realm.Object()
    hide('module', module)
    hide('exports', module.exports)
    hide('require', name => this.required(name, project.requires))
    this.within(() => this.realm.evaluate('globalThis.global = globalThis'), 1)
  }

  // What a module of node or of the project exports.
  required (name, paths) {
    const plain = String(name).replace(/^node:/, '')
    if (Object.hasOwn(paths, plain)) return this.loaded(paths[plain])
    if (!MODULES.has(plain)) throw new this.realm.Error(`Cannot find module '${plain}'`)
    return require(plain)
  }

  loaded (path) {
    if (this.modules.has(path)) return this.modules.get(path).exports
    const [body, paths] = project.modules[path]
    const module = new this.realm.Object()
    module.exports = new this.realm.Object()
    // Before it runs: what it requires may require it.
    this.modules.set(path, module)
    let script
    try {
      script = new vm.Script(`(function (exports, require, module, __import) {${body}\n})`, { filename: 'module' })
    } catch {
      throw new this.realm.Error(`Cannot find module '${path}'`)
    }
    const run = script.runInContext(this.context)
    this.depth++
    try {
      Reflect.apply(run, module.exports, [module.exports, name => this.required(name, paths), module, task => this.imported(task)])
    } catch (error) {
      this.modules.delete(path)
      throw error
    } finally {
      this.depth--
    }
    // Now that all are ready, what modules took from each other is complete.
    if (this.depth === 0) for (const task of this.imports.splice(0)) task()
    return module.exports
  }

  // Import something, now and when all modules are ready: of two that import each other, one is not.
  imported (task) {
    this.imports.push(task)
    try {
      task()
    } catch (error) {
      if (errorName(error) !== 'ReferenceError') throw error
    }
  }

  write (text) {
    if (this.length < MAX_OUTPUT) this.output.push(text.slice(0, MAX_OUTPUT - this.length))
    this.length += text.length
  }

  // The same seed gives the same numbers.
  random () {
    this.seed = (this.seed + 0x6D2B79F5) | 0
    let mixed = Math.imul(this.seed ^ (this.seed >>> 15), 1 | this.seed)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  evaluate (expression) {
    return time.limited(new vm.Script(`(${expression}\n)`, { filename: 'entry' }), this.context, this.milliseconds())
  }

  milliseconds () {
    return Math.ceil(this.job.seconds_per_call * 1000)
  }

  classOf (name) {
    if (!/^[A-Za-z_$][\w$]*$/.test(name)) return undefined
    try {
      const found = this.evaluate(`typeof ${name} === 'function' ? ${name} : undefined`)
      return typeof found === 'function' && !util.types.isProxy(found) ? found : undefined
    } catch {
      return undefined
    }
  }

  // Why the fragment cannot run; undefined if it can.
  load () {
    let script
    try {
      script = new vm.Script(this.job.script, { filename: 'fragment' })
    } catch (error) {
      return ['does not parse', String(dataOf(error, 'message')).slice(0, 200)]
    }
    try {
      time.limited(script, this.context, this.milliseconds())
      if (this.job.entry !== null) {
        const { target } = this.job.entry.constructs ? { target: this.evaluate(this.job.entry.receiver) } : this.receiver()
        if (typeof target !== 'function') return ['has no function', this.job.entry.name]
      }
    } catch (error) {
      return whyNotLoaded(error)
    }
    return undefined
  }

  // The function to call and the object to call it on, which is a new one each time.
  receiver () {
    const { receiver, target } = this.job.entry
    if (receiver === null) return { self: undefined, target: this.evaluate(target) }
    const self = this.evaluate(receiver)
    this.context.__self = self
    const found = this.evaluate(`__self${target}`)
    delete this.context.__self
    return { self, target: found }
  }

  // A method of a new object, behind calls of other methods; `after` shows what is left of it.
  onObject (made, calls, name, given, after) {
    const self = Reflect.construct(made.made, made.given)
    for (const [method, values] of calls) Reflect.apply(self[method], self, values)
    const value = Reflect.apply(self[name], self, given)
    if (after === null) return value
    const shown = self[after[0]]
    return after.length > 1 ? Reflect.apply(shown, self, after[1]) : shown
  }

  call (asked) {
    const forms = Array.isArray(asked) ? asked : asked.given
    this.output = []
    this.length = 0
    this.timers = []
    this.exited = false
    const box = { state: 'started', value: undefined }
    const found = {}
    let given, before, made, calls, after
    try {
      given = this.reader.call(forms)
      if (this.job.entry.constructs) {
        made = { made: this.evaluate(this.job.entry.receiver), given: this.reader.call(asked.made) }
        calls = asked.before.map(([name, values]) => [name, this.reader.call(values)])
        after = asked.after === null ? null : [asked.after[0], ...asked.after.slice(1).map(values => this.reader.call(values))]
      }
      // Of values of their own: writing an iterator uses it up.
      before = this.reader.call(forms).map(one => JSON.stringify(this.form(one)))
    } catch (error) {
      return { ended: String(dataOf(error, 'message')).slice(0, 200), output: '' }
    }
    const deadline = time.now() + this.milliseconds()
    const left = () => (deadline - time.now()) / 1000
    try {
      const { self, target } = this.job.entry.constructs ? {} : this.receiver()
      this.within(() => {
        try {
          const value = this.job.entry.constructs
            ? this.onObject(made, calls, this.job.entry.name, given, after)
            : Reflect.apply(target, self, given)
          box.value = value
          box.state = 'value'
          if (util.types.isPromise(value)) {
            box.state = 'waiting'
            this.realm.settle(value, box)
          } else if (isAsyncGenerator(value)) {
            box.state = 'waiting'
            this.realm.drawLater(value, MAX_DRAWN, box)
          }
        } catch (error) {
          box.value = error
          box.state = 'error'
        }
      }, left())
      this.runTimers(left)
      if (box.state === 'waiting') found.ended = 'never settles'
      else if (this.exited) found.raised = 'SystemExit'
      else if (box.state === 'error') this.describe(box.value, found)
      else {
        found.returned = new Writer(one => this.drawn(one), (...one) => this.outcome(...one)).form(box.value)
        this.runTimers(left)
        const after = given.map(one => this.form(one))
        if (after.some((one, at) => JSON.stringify(one) !== before[at])) found.changed = after
      }
    } catch (error) {
      if (isTimeout(error)) return { ended: 'timed out', output: this.output.join('') }
      this.describe(error, found)
    }
    found.output = new Writer(() => null).form(this.output.join(''))
    found.reached = this.newlyCovered()
    return found
  }

  describe (error, found) {
    found.raised = errorName(error)
    const message = util.types.isNativeError(error) ? dataOf(error, 'message') : undefined
    if (found.raised === 'RangeError' && message === 'Maximum call stack size exceeded') found.raised = 'RangeError: stack'
    const missing = /^([\w$]+) is not defined/.exec(typeof message === 'string' ? message : '')
    if (missing !== null && found.raised === 'ReferenceError') found.missing = missing[1].slice(0, 200)
  }

  // Time does not pass: what waits longest for its turn runs last.
  runTimers (left) {
    for (let fired = 0; fired < MAX_TIMERS && this.timers.length > 0; fired++) {
      this.timers.sort((one, other) => one.at - other.at || one.id - other.id)
      const timer = this.timers.shift()
      this.now = timer.at
      if (timer.repeats && timer.fired < MAX_REPEATS) {
        this.timers.push({ ...timer, at: this.now + Math.max(1, Number(timer.delay) || 1), fired: timer.fired + 1 })
      }
      this.within(() => { timer.task(...timer.values) }, left())
    }
  }

  form (value) {
    return new Writer(iterator => this.drawn(iterator)).form(value)
  }

  // What a function of a result returns, or why it does not.
  outcome (target, self, forms) {
    const given = this.reader.call(forms)
    const found = {}
    this.within(() => {
      try {
        found.value = Reflect.apply(target, self, given)
      } catch (error) {
        found.raised = error
      }
    }, this.job.seconds_per_call)
    const name = 'raised' in found ? errorName(found.raised) : ''
    if (name === 'ReferenceError') throw found.raised
    return { ...found, isUnfit: name === 'TypeError' }
  }

  drawn (iterator) {
    let found = null
    this.within(() => { found = this.realm.draw(iterator, MAX_DRAWN) }, this.job.seconds_per_call)
    return found
  }

  newlyCovered () {
    const found = []
    for (let at = 0; at < this.covered.length; at++) {
      if (this.covered[at] !== 0 && this.known[at] === 0) {
        this.known[at] = 1
        found.push(at)
      }
    }
    return found
  }
}

const isTimeout = error => typeof error === 'object' && error !== null && !util.types.isProxy(error) &&
  ['ERR_SCRIPT_EXECUTION_TIMEOUT', 'ERR_SCRIPT_EXECUTION_INTERRUPTED'].includes(dataOf(error, 'code'))

const isAsyncGenerator = value => util.types.isGeneratorObject(value) &&
  util.types.isAsyncFunction === util.types.isAsyncFunction && Object.prototype.toString.call(value) === '[object AsyncGenerator]'

function whyNotLoaded (error) {
  if (isTimeout(error)) return [TOO_LONG, '']
  const name = errorName(error)
  const message = util.types.isNativeError(error) ? String(dataOf(error, 'message')).slice(0, 200) : name
  if (name === 'ReferenceError') return ['unresolved symbol', message.replace(/ is not defined$/, '')]
  if (message.startsWith('Cannot find module')) return ['needs a package', message.slice(20, -1)]
  if (error instanceof Ended) return ['fails while loading', 'exit']
  return ['fails while loading', name]
}

function say (text) {
  const data = Buffer.from(text + '\n')
  for (let at = 0; at < data.length;) {
    try {
      at += fs.writeSync(stdout, data, at)
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
    }
  }
}

function runJob (job) {
  if (job.modules !== undefined) project = { requires: job.requires, modules: job.modules }
  const answer = found => say(`${job.nonce} ${JSON.stringify(found)}`)
  const limit = job.seconds_per_call * 1000
  // Do something again if the clock says that it is late, and the processor worked for others in that time.
  const onTime = (action, isLate, again) => {
    const before = used()
    const found = action()
    if (!isLate(found) || time.state !== null || used() - before >= BUSY * limit) return found
    time.count()
    answer({ again: true })
    return again()
  }
  let run = new Run(job)
  const restart = () => {
    run = new Run(job)
    return run.load()
  }
  const reason = onTime(() => run.load(), found => found !== undefined && found[0] === TOO_LONG, restart)
  if (reason !== undefined) {
    answer({ undecided: reason[0], detail: reason[1] })
    return
  }
  answer({ ready: true })
  job.calls.forEach((one, at) => {
    answer(onTime(() => run.call(one), found => found.ended === 'timed out', () => {
      // What earlier calls left behind must be there, and nothing of the one that was interrupted.
      restart()
      for (const earlier of job.calls.slice(0, at)) {
        run.call(earlier)
        answer({ again: true })
      }
      return run.call(one)
    }))
  })
}

// The files of the fragment's project, which come with the first job.
let project = { requires: {}, modules: {} }

let waiting = ''
const decoder = new util.TextDecoder()
const buffer = Buffer.alloc(1 << 16)
for (;;) {
  let read = 0
  try {
    read = fs.readSync(0, buffer, 0, buffer.length)
  } catch (error) {
    if (error.code === 'EAGAIN') continue
    break
  }
  if (read === 0) break
  waiting += decoder.decode(buffer.subarray(0, read), { stream: true })
  for (let end = waiting.indexOf('\n'); end >= 0; end = waiting.indexOf('\n')) {
    const line = waiting.slice(0, end)
    waiting = waiting.slice(end + 1)
    runJob(JSON.parse(line))
  }
}

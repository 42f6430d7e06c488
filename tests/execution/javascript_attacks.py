"""Fragments of JavaScript that try to forge results, to break the harness, or to leave something for the next one.

Each defines `f`. What a fragment does to itself is its own affair: it may lie, fail or end. It must not say anything in
the name of another fragment, hang the host, or make the harness send what is not a value.
"""

from __future__ import annotations

from collections.abc import Mapping

FORGERIES: Mapping[str, str] = {
    "writes a result line without the nonce": """
        function f() { console.log('{"returned": {"int": "666"}}'); return 1 }""",
    "writes to the standard output of the process": """
        function f() { process.stdout.write('0'.repeat(32) + ' {"returned": {"int": "666"}}\\n'); return 1 }""",
    "changes JSON": """
        JSON.stringify = () => '{"returned": {"int": "666"}}'; function f() { return 1 }""",
    "gives every object a toJSON": """
        Object.prototype.toJSON = () => ({ returned: { int: '666' } }); String.prototype.toJSON = () => 'x'
        Number.prototype.toJSON = () => 666; function f() { return 1 }""",
    "changes the builtins": """
        const names = Object.getOwnPropertyNames
        for (const one of [Object, Map, Set, String, Number, Function, Reflect, Symbol, Promise, Math, Array]) {
          const found = [[one, names(one)], [one.prototype, one.prototype ? names(one.prototype) : []]]
          for (let a = 0; a < 2; a++) {
            for (let i = 0; i < found[a][1].length; i++) try { found[a][0][found[a][1][i]] = () => 666 } catch {}
          }
        }
        function f() { return 1 }""",
    "puts setters on the prototypes": """
        for (const key of ['returned', 'output', 'state', 'raised', '0', 'nonce', 'value']) {
          Object.defineProperty(Object.prototype, key, { set () { throw 666 }, get () { return 666 } })
        }
        function f() { return 1 }""",
    "leads out of the realm by its own objects": """
        function f() {
          for (const one of [this, globalThis, module, exports]) {
            try { if (one.constructor.constructor('return typeof process.pid')() === 'number') return 666 } catch {}
          }
          return 1
        }""",
    "leads out of the realm by the harness's functions": """
        function f() {
          for (const one of [console.log, process.exit, setTimeout, require, process.stdout.write, Buffer, URL]) {
            try { one.constructor('return process')().stdout.write('x') } catch {}
            try { one.constructor.constructor('return this')().process.exit(3) } catch {}
          }
          return 1
        }""",
    "leads out of the realm by an exception": """
        function f() {
          const reached = e => {
            try { return e.constructor.constructor('return typeof process.pid')() === 'number' } catch { return false }
          }
          try { require('f' + 's') } catch (e) { if (reached(e)) return 666 }
          try { (function g () { g() })() } catch (e) { if (reached(e)) return 666 }
          return 1
        }""",
    "asks for bindings": """
        function f() {
          for (const name of ['binding', '_linkedBinding', 'dlopen', 'mainModule', 'abort', 'kill']) {
            try { process[name]('fs').writeString(1, 'x') } catch {}
          }
          return 1
        }""",
    "asks for modules": """
        function f() {
          for (const name of ['f' + 's', 'child_' + 'process', 'v' + 'm', 'inspector', 'v8', 'worker_' + 'threads']) {
            try { require(name); return 666 } catch {}
          }
          return 1
        }""",
    "calls the harness's step": """
        function f() { try { globalThis.__step() } catch {} ; return 1 }""",
    "replaces the harness's step": """
        try { globalThis.__step = () => 666 } catch {}
        try { Object.defineProperty(globalThis, '__step', { value: () => 666 }) } catch {}
        function f() { return 1 }""",
    "changes the promises": """
        Promise.prototype.then = function () { return 666 }
        async function f() { return 1 }""",
    "leaves rejections and timers": """
        Promise.reject(new Error('x')); setInterval(() => { Promise.reject(2) }, 1)
        async function f() { Promise.reject(3); setInterval(() => {}, 1); return 1 }""",
    "leaves errors in timers": """
        function f() { queueMicrotask(() => { Promise.reject(5) }); return 1 }""",
}
"""Attacks after which the fragment's own result is still what it returned: 1."""

HOSTILE_RESULTS: Mapping[str, str] = {
    "a proxy that throws": "function f() { return new Proxy({}, { get () { throw 1 }, ownKeys () { throw 2 } }) }",
    "a proxy for an array": "function f() { return [new Proxy([1], { get () { for (;;); } })] }",
    "a revoked proxy": "function f() { const p = Proxy.revocable({}, {}); p.revoke(); return [p.proxy] }",
    "an object with a proxy as prototype": """
        function f() { return Object.create(new Proxy({}, { get () { throw 1 }, getPrototypeOf () { throw 2 } })) }""",
    "getters that throw": "function f() { return { get a () { throw 1 }, get b () { for (;;); } } }",
    "a getter for the class": """
        function f() { return Object.create(Object.create({}, { constructor: { get () { for (;;); } } })) }""",
    "a name that is no text": """
        class A {}; Object.defineProperty(A, 'name', { value: {} }); function f() { return new A() }""",
    "itself": "function f() { const a = []; a.push(a, { a }); return a }",
    "ten million elements": "function f() { return new Array(1e7).fill(1) }",
    "a text of ten megabytes": "function f() { return 'x'.repeat(1e7) }",
    "a sparse array": "function f() { const a = []; a[4e9] = 1; return a }",
    "a deep list": "function f() { let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a }",
    "a deep map": "function f() { let a = {}; for (let i = 0; i < 1e5; i++) a = { a }; return a }",
    "a generator without end": "function * f() { for (let i = 0; ; i++) yield i }",
    "a generator that hangs": "function * f() { for (;;); }",
    "an iterator that lies": """
        function f() {
          const one = [1][Symbol.iterator](); one.next = () => ({ value: one, done: false })
          return one
        }""",
    "an error with hostile fields": """
        function f() {
          throw Object.defineProperties(new Error('x'), { name: { get () { for (;;); } }, message: { value: {} } })
        }""",
    "a thrown proxy": """
        function f() { throw new Proxy(new Error('x'), { get () { throw 1 }, getPrototypeOf () { throw 2 } }) }""",
    "a thrown null": "function f() { throw null }",
    "an error that says it is out of time": "function f() { throw { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' } }",
    "half a pair of surrogates": "function f() { return ['\\ud800', { '\\udc00': 1 }] }",
    "boxed values": "function f() { return [Object(1), Object('x'), Object(true), Object(1n), Object(Symbol())] }",
    "a large number": "function f() { return 2n ** 100000n }",
    "a promise that never settles": "function f() { return new Promise(() => {}) }",
    "a thenable": "function f() { return { then (done) { for (;;); } } }",
    "promises without end": "async function f() { for (;;) await 1 }",
    "prints without end": "function f() { for (;;) console.log('x'.repeat(10000)) }",
    "prints a hostile object": """
        function f() { console.log(new Proxy({}, { get () { throw 1 } }), { toString () { throw 2 } }); return 1 }""",
    "catches everything": "function f() { for (;;) { try { for (;;); } catch {} } }",
    "a regular expression without end": "function f() { return /^(a+)+$/.test('a'.repeat(40) + 'b') }",
    "waits for ever": "function f() { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0) }",
    "recursion without end": "function f() { return f() + 1 }",
    "all memory": "function f() { const a = []; for (;;) a.push(new Array(1e5).fill({ a: 1 })) }",
    "all memory in buffers": "function f() { const a = []; for (;;) a.push(new Uint8Array(1e8).fill(1)) }",
    "exits": "function f() { process.exit(0) }",
    "exits and goes on": "function f() { for (;;) { try { process.exit(0) } catch {} } }",
}
"""Results and endings that a careless harness does not survive."""

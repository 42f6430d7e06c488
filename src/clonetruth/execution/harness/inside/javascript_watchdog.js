// A thread beside `javascript_server.js` that ends a call by the time that the process has used on the processor.
//
// `state` is shared. Its first number is odd while a call runs, and another one for each call; when the call is to end,
// it becomes negative. The second is the limit in milliseconds.
'use strict'

const { workerData: state } = require('worker_threads')

// How much longer than its limit a call may take by the clock, on a machine with other work.
const MOST = 30
// What takes this much longer and used next to nothing waits for something.
const WAITS = 2
const IDLE = 0.01

for (;;) {
  const call = Atomics.load(state, 0)
  if (call < 0 || call % 2 === 0) {
    Atomics.wait(state, 0, call)
    continue
  }
  const limit = Atomics.load(state, 1)
  const before = process.cpuUsage()
  const started = performance.now()
  for (let left = limit; Atomics.wait(state, 0, call, left) === 'timed-out';) {
    const { user, system } = process.cpuUsage(before)
    const used = (user + system) / 1000
    const passed = performance.now() - started
    if (used >= limit || passed >= MOST * limit || (passed >= WAITS * limit && used < IDLE * passed)) {
      if (Atomics.compareExchange(state, 0, call, -call) === call) process.kill(process.pid, 'SIGINT')
      break
    }
    left = Math.max(1, limit - used)
  }
}

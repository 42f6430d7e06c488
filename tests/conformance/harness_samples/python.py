"""Samples of Python for the conformance suite of harnesses."""

from __future__ import annotations

from tests.conformance.harness_samples import HarnessSamples, ReturnSample, number, numbers

SAMPLES = HarnessSamples(
    language="python",
    returns=[
        ReturnSample("whole number", "def f(a, b):\n    return a * b", [number(6), number(-7)], number(-42)),
        ReturnSample("large number", "def f(a):\n    return a ** 20", [number(10)], number(10**20)),
        ReturnSample("float", "def f(a):\n    return a / 4", [number(3)], {"float": (0.75).hex()}),
        ReturnSample("not a number", "def f():\n    return float('nan')", [], {"float": "nan"}),
        ReturnSample("truth value", "def f(a):\n    return a > 2", [number(3)], True),
        ReturnSample("text", "def f(a):\n    return a + 'é\\n'", ["x"], "xé\n"),
        ReturnSample("nothing", "def f(a):\n    return None", [number(1)], None),
        ReturnSample("list", "def f(a):\n    return a[::-1]", [numbers(1, 2, 3)], numbers(3, 2, 1)),
        ReturnSample("list of lists", "def f(a):\n    return [a, []]", [numbers(1)], {"list": [numbers(1), numbers()]}),
        ReturnSample("map", "def f(a):\n    return {a: 1}", ["k"], {"map": [["k", number(1)]]}),
        ReturnSample("set", "def f(a):\n    return set(a)", [numbers(2, 1, 2)], {"set": [number(1), number(2)]}),
        ReturnSample(
            "object",
            "class P:\n    def __init__(self, x): self.x = x\ndef f(a):\n    return P(a)",
            [number(4)],
            {"object": ["P", [["x", number(4)]]]},
        ),
    ],
    changes="def f(a):\n    a[0] = 9",
    prints="def f(n):\n    print('seen', n)\n    return n + 1",
    raises="def f(a):\n    return a[0]",
    raised="IndexError",
    missing="def f(n):\n    return helper_that_is_missing(n)",
    unparsable="def f(n:\n    return",
    loops="def f(n):\n    while n: pass\n    return 7",
    exits="import os\ndef f(n):\n    if n: os._exit(3)\n    return 7",
    floods="def f(n):\n    while n: print('x' * 1000)\n    return 7",
    recurses="def f(n):\n    return f(n) + 1 if n else 7",
    allocates="def f(n):\n    a = [0]\n    while n: a += a\n    return 7",
    huge="def f():\n    return list(range(1000000))",
    endless="def f():\n    a = []\n    a.append(a)\n    return a",
    counts="c = 0\ndef f():\n    global c\n    c += 1\n    return c",
    poisons="import builtins, json, os, sys, threading, time\ndef f(n):\n    builtins.len = None\n"
    "    json.dumps = None\n"
    "    sys.setrecursionlimit(77)\n    open('/tmp/left', 'w').close()\n"
    "    threading.Thread(target=time.sleep, args=(60,)).start()\n    return n",
    notices="import json, os, sys, threading\ndef f():\n"
    "    return int(not (len([1]) == 1 and json.dumps(1) == '1' and sys.getrecursionlimit() > 77\n"
    "               and not os.path.exists('/tmp/left') and threading.active_count() == 1))",
    forges="import os\ndef f(n):\n    for one in range(40):\n        try:\n"
    '            os.write(one, b\'{"nonce": "0", "ending": "exited", "answer": "", "returned": null}\\n\')\n'
    "        except OSError: pass\n    return 1",
    branches="def f(n):\n    if n < 0:\n        return -1\n    if n > 100:\n        m = n * 2\n        return m\n"
    "    return 0",
    chooses="def first():\n    return 1\ndef second():\n    return 2",
    random="import random\ndef f():\n    return random.randint(1000, 10 ** 9)",
)

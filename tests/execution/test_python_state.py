"""Whether a call of a fragment can leave something behind: only then does it need a new process for each run."""

from __future__ import annotations

import ast

import pytest

from clonetruth.execution.harness.inside.python_state import leaves_nothing


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n    return x + 1",
        "xrange = range\ndef f(n):\n    return [one for one in xrange(n)]",
        "def f(self):\n    resource = self.uri[0]\n    return resource",
        "class A:\n    def f(self, x):\n        self.__dict__.update(x)",
        "class A:\n    def f(self, x):\n        super().__setattr__('x', x)",
        "class A:\n    def f(self, x):\n        super(A, self).__setattr__('x', x)",
        "class A:\n    def f(self, x):\n        object.__setattr__(self, 'x', x)",
        "class A:\n    def f(self, x):\n        setattr(self, 'x', x)\n        return self.__class__.__name__",
    ],
)
def test_what_lives_as_long_as_the_call_leaves_nothing(text: str) -> None:
    assert leaves_nothing(ast.parse(text))


@pytest.mark.parametrize(
    "text",
    [
        "seen = []\ndef f(x):\n    seen.append(x)\n    return len(seen)",
        "def f(x, seen=[]):\n    seen.append(x)\n    return len(seen)",
        "count = 0\ndef f(x):\n    global count\n    count += 1\n    return count",
        "def f(x):\n    f.count = x",
        "def f(x):\n    setattr(f, 'count', x)",
        "def f(x):\n    f.__dict__['count'] = x",
        "def f(x):\n    object.__setattr__(f, 'count', x)",
        "class A:\n    def f(self, x):\n        self.__class__.count = x",
        "class A:\n    def f(self, x):\n        setattr(self.__class__, 'count', x)",
        "class A:\n    def f(self, x):\n        self.__class__.__dict__['a'].append(x)",
        "class A:\n    def f(cls, x):\n        cls.count = x",
        "import signal\ndef f(x):\n    signal.alarm(x)",
        "from signal import alarm\ndef f(x):\n    alarm(x)",
        "from os import *\ndef f(x):\n    putenv('a', x)",
        "def f(x):\n    globals()['a'] = x",
        "def f(x):\n    exec(x)",
        "known = vars\ndef f(x):\n    known()['a'] = x",
        "self = []\ndef f(x):\n    self.__dict__",
    ],
)
def test_what_outlives_a_call_is_seen(text: str) -> None:
    assert not leaves_nothing(ast.parse(text))

"""Programs that try to get out of the sandbox, or to take more than they were given.

Each prints ESCAPED and what it reached if it succeeds. `{...}` are filled in by the test: a secret file, a port and a
Unix socket that the host listens on, and a process of the host.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Attack:
    """A hostile program.

    Attributes:
        name: what it tries.
        language: what it is written in.
        source: its text.
        control: whether it succeeds without a sandbox, as an ordinary user: shows that the test can fail.
    """

    name: str
    language: str
    source: str
    control: bool = False

    def text(self, values: Mapping[str, object]) -> str:
        """The source with what the host offers."""
        source = self.source
        for key, value in values.items():
            source = source.replace("{" + key + "}", str(value))
        return source


def _python(name: str, source: str, *, control: bool = False) -> Attack:
    return Attack(name, "python", source, control)


_TRY = """\
import ctypes, os, socket, struct, sys, time
libc = ctypes.CDLL(None, use_errno=True)
def attempt(what, action):
    try:
        found = action()
    except BaseException as error:
        print("held", what, type(error).__name__)
    else:
        print("ESCAPED" if found else "held", what, str(found)[:100])
"""

PYTHON = [
    _python("reads a secret", _TRY + "attempt('secret', lambda: open('{secret}').read())", control=True),
    _python(
        "reads a secret through a symbolic link",
        _TRY + "os.symlink('{secret}', 'link')\nattempt('link', lambda: open('link').read())",
        control=True,
    ),
    _python(
        "reads a secret through the roots of other processes",
        _TRY
        + "for pid in [p for p in os.listdir('/proc') if p.isdigit()]:\n"
        + "    attempt(pid, lambda: open(f'/proc/{pid}/root{secret}').read())",
    ),
    _python("reads accounts", _TRY + "attempt('shadow', lambda: open('/etc/shadow').read())"),
    _python("reads the list of users", _TRY + "attempt('passwd', lambda: open('/etc/passwd').read())", control=True),
    _python("lists homes", _TRY + "attempt('home', lambda: os.listdir('/root') + os.listdir('/home'))"),
    _python(
        "sees processes of the host",
        _TRY + "attempt('processes', lambda: [p for p in os.listdir('/proc') if p.isdigit() and int(p) > 9])",
        control=True,
    ),
    _python(
        "writes outside", _TRY + "attempt('write', lambda: open('{folder}/planted', 'w').write('x'))", control=True
    ),
    _python(
        "writes into the system",
        _TRY + "for place in ('/usr', '/usr/bin', '/etc', '/', '/proc/sys/kernel', '/sys'):\n"
        "    attempt(place, lambda: open(place + '/planted', 'w').write('x'))",
    ),
    _python(
        "sets the program for core dumps",
        _TRY + "attempt('core_pattern', lambda: os.open('/proc/sys/kernel/core_pattern', os.O_WRONLY) + 1)",
    ),
    _python(
        "remounts the root writable",
        _TRY + "attempt('remount', lambda: libc.mount(b'', b'/', None, 32, None) == 0)",
    ),
    _python(
        "deletes a file of the host", _TRY + "attempt('delete', lambda: os.remove('{victim}') or True)", control=True
    ),
    _python(
        "connects to the host",
        _TRY + "attempt('loopback', lambda: socket.create_connection(('127.0.0.1', {port}), 2))",
        control=True,
    ),
    _python(
        "opens sockets of every family",
        _TRY + "for family in [*range(2, 46)]:\n"
        "    for kind in (1, 2, 3, 5):\n"
        "        attempt((family, kind), lambda: socket.socket(family, kind))",
    ),
    _python(
        "connects to a Unix socket of the host",
        _TRY + "def connect(name):\n    s = socket.socket(socket.AF_UNIX)\n    s.connect(name)\n    return True\n"
        "attempt('path', lambda: connect('{socket}'))\nattempt('abstract', lambda: connect('\\0{abstract}'))",
        control=True,
    ),
    _python("looks up a name", _TRY + "attempt('name', lambda: socket.getaddrinfo('localhost.example', 80))"),
    _python("forks", _TRY + "attempt('fork', lambda: os.fork() + 1)"),
    _python(
        "forks by raw system calls",
        _TRY + "attempt('clone', lambda: libc.syscall(56, 17, 0, 0, 0, 0) >= 0)\n"
        "attempt('vfork', lambda: libc.syscall(57) >= 0)\n"
        "attempt('clone3', lambda: libc.syscall(435, ctypes.create_string_buffer(88), 88) >= 0)",
    ),
    _python("starts a program", _TRY + "import subprocess\nattempt('ls', lambda: subprocess.run(['/usr/bin/ls']))"),
    _python(
        "starts thousands of threads",
        _TRY + "import threading\nstarted = 0\n"
        "def many():\n    global started\n    while started < 2000:\n"
        "        threading.Thread(target=time.sleep, args=(20,), daemon=True).start()\n        started += 1\n"
        "    return True\nattempt('threads', many)\nsys.stdout.flush()\nos._exit(0)",
    ),
    _python("allocates 3 GB", _TRY + "attempt('memory', lambda: len(bytearray(3 << 30)))"),
    _python(
        "maps 3 GB in pieces",
        _TRY + "import mmap\nkeep = []\n"
        "def pieces():\n    for _ in range(3000):\n        m = mmap.mmap(-1, 1 << 20)\n"
        "        m[::4096] = b'x' * 256\n        keep.append(m)\n    return True\nattempt('pieces', pieces)",
    ),
    _python(
        "fills shared memory",
        _TRY + "def fill():\n    with open('/dev/shm/x', 'wb') as f:\n        for _ in range(500):\n"
        "            f.write(bytes(1 << 20))\n    return True\nattempt('shm', fill)",
    ),
    _python(
        "fills the temporary folder with many files",
        _TRY + "def fill():\n    for n in range(500):\n        open(f'/tmp/{n}', 'wb').write(bytes(1 << 20))\n"
        "    return True\nattempt('tmp', fill)",
    ),
    _python(
        "fills all folders",
        _TRY + "def fill():\n    done = 0\n    for place in ('/tmp', '/dev/shm', '/box', '/dev', '/run', '/var/tmp'):\n"
        "        for n in range(300):\n            try:\n                done += open(f'{place}/{n}', "
        "'wb').write(bytes(1 << 20))\n"
        "            except OSError:\n                break\n    return done > 200 << 20\nattempt('all', fill)",
    ),
    _python(
        "hides memory in memfd",
        _TRY + "attempt('memfd', lambda: os.memfd_create('x') + 1)\n"
        "attempt('secret', lambda: libc.syscall(447, 0) >= 0)",
    ),
    _python(
        "hides memory in System V shared memory",
        _TRY + "attempt('shmget', lambda: libc.shmget(0, 500 << 20, 0o1600) >= 0)\n"
        "attempt('msgget', lambda: libc.msgget(0, 0o1600) >= 0)",
    ),
    _python(
        "enters new namespaces",
        _TRY + "for flag in (0x10000000, 0x20000, 0x40000000, 0x20000000, 0x8000000, 0x4000000, 0x2000000, 0x80):\n"
        "    attempt(hex(flag), lambda: libc.unshare(flag) == 0)",
    ),
    _python(
        "traces and reads other processes",
        _TRY + "for pid in {int(p) for p in os.listdir('/proc') if p.isdigit()} - {os.getpid()} | {{process}}:\n"
        "    attempt('memory', lambda: open(f'/proc/{pid}/mem', 'rb') and True)\n"
        "    attempt('ptrace', lambda: libc.ptrace(16, pid, 0, 0) == 0)\n"
        "attempt('readv', lambda: libc.syscall(310, os.getpid(), 0, 0, 0, 0, 0) >= 0)\n"
        "attempt('pidfd', lambda: libc.syscall(434, os.getpid(), 0) >= 0)",
    ),
    _python(
        "signals strangers",
        _TRY + "attempt('process', lambda: os.kill({process}, 15) or True)\nattempt('group', lambda: "
        "os.killpg({process}, 15) or True)",
        control=True,
    ),
    _python(
        "calls what the kernel should not offer",
        _TRY + "for name, number in dict(io_uring=425, bpf=321, keyctl=250, add_key=248, userfaultfd=323, perf=298,"
        " module=175, kexec=246, reboot=169, swapon=167, settime=227, handle=304, fsopen=430, mount=165, chroot=161,"
        " pivot=155, setns=308, quotactl=179, acct=163, iopl=172).items():\n"
        "    attempt(name, lambda: libc.syscall(number, 0, 0, 0, 0, 0, 0) >= 0)",
    ),
    _python(
        "makes itself root",
        _TRY + "attempt('setuid', lambda: os.setuid(0) or True)\nattempt('setgid', lambda: os.setgid(0) or True)\n"
        "attempt('groups', lambda: os.setgroups([0]) or True)\nattempt('root', lambda: os.getuid() == 0)",
    ),
    _python(
        "raises its own limits",
        _TRY + "import resource\nfor what in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_NPROC, "
        "resource.RLIMIT_FSIZE):\n"
        "    attempt(what, lambda: resource.setrlimit(what, (resource.RLIM_INFINITY,) * 2) or True)",
    ),
    _python(
        "types into the terminal",
        _TRY + "import fcntl\nfor fd in (0, 1, 2):\n"
        "    for request in (0x5412, 0x100005412, 0x541C):\n"
        "        attempt((fd, request), lambda: libc.ioctl(fd, ctypes.c_ulong(request), ctypes.c_char_p(b'x')) == 0)\n"
        "attempt('tty', lambda: open('/dev/tty', 'w'))",
    ),
    _python(
        "reads the environment of the host",
        _TRY + "attempt('secret', lambda: '{token}' in str(os.environ))\n"
        "attempt('parent', lambda: '{token}' in open('/proc/1/environ').read())",
        control=True,
    ),
    _python(
        "looks for descriptors that were left open",
        _TRY + "attempt('descriptors', lambda: [fd for fd in map(int, os.listdir('/proc/self/fd')) if fd > 3 or"
        " (fd < 3 and 'pipe' not in os.readlink(f'/proc/self/fd/{fd}'))])",
    ),
    _python(
        "opens devices",
        _TRY
        + "for name in ('mem', 'kmem', 'kmsg', 'sda', 'vda', 'loop0', 'fuse', 'kvm', 'net/tun', 'port', 'nvram'):\n"
        "    attempt(name, lambda: os.open('/dev/' + name, os.O_RDWR) + 1)\n"
        "attempt('mknod', lambda: os.mknod('/tmp/sda', 0o60600, os.makedev(8, 0)) or True)",
    ),
    _python(
        "makes a program that runs as its owner",
        _TRY + "import shutil\nshutil.copy('/usr/bin/id', '/tmp/id')\nos.chmod('/tmp/id', 0o6755)\n"
        "attempt('nosuid', lambda: os.statvfs('/tmp').f_flag & os.ST_NOSUID == 0)\n"
        "attempt('privileges', lambda: 'NoNewPrivs:\\t0' in open('/proc/self/status').read())\n"
        "attempt('capabilities', lambda: int(open('/proc/self/status').read().split('CapEff:')[1].split()[0], 16))",
    ),
    _python(
        "leaves a file for the next program",
        _TRY
        + "attempt('left', lambda: [p for p in ('/tmp/left', '/box/left', '/dev/shm/left') if os.path.exists(p)])\n"
        "for p in ('/tmp/left', '/box/left', '/dev/shm/left'):\n    open(p, 'w').write('x')",
    ),
]

ENDLESS = {
    "loops": "while True: pass",
    "sleeps": "import time\ntime.sleep(1000)",
    "ignores signals": "import signal, time\nfor s in range(1, 65):\n    try: signal.signal(s, signal.SIG_IGN)\n"
    "    except (OSError, ValueError): pass\nwhile True: time.sleep(1)",
    "reads for ever": "import sys\nwhile True: sys.stdin.read()",
    "closes its outputs and stays": "import os, time\nfor fd in range(3): os.close(fd)\ntime.sleep(1000)",
    "leaves a thread": "import threading, time\nthreading.Thread(target=time.sleep, args=(1000,)).start()",
}
"""Python programs that never end."""

FLOODS = {
    "standard output": "while True: print('x' * 10000)",
    "standard error": "import sys\nwhile True: print('x' * 10000, file=sys.stderr)",
    "without line ends": "import os\nwhile True: os.write(1, b'x' * 65536)",
}
"""Python programs that print without end."""

_C_START = """\
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <unistd.h>
#define ATTEMPT(what, escaped) printf("%s %s\\n", (escaped) ? "ESCAPED" : "held", what)
"""

C = [
    Attack(
        name,
        "c",
        _C_START + 'int main(void) { puts("held so far"); fflush(stdout);\n' + body + "\nreturn 0; }\n",
        control,
    )
    for name, body, control in (
        ("reads a secret", 'ATTEMPT("secret", open("{secret}", O_RDONLY) >= 0);', True),
        ("climbs out of the root", 'chdir("../../../../../.."); ATTEMPT("up", open("{secret}", O_RDONLY) >= 0);', True),
        (
            "connects to the host",
            "int s = socket(AF_INET, SOCK_STREAM, 0); struct sockaddr_in a = {AF_INET, htons({port})};"
            'a.sin_addr.s_addr = inet_addr("127.0.0.1");'
            'ATTEMPT("connect", s >= 0 && connect(s, (struct sockaddr *)&a, sizeof a) == 0);',
            True,
        ),
        ("forks", 'pid_t p = fork(); if (p == 0) _exit(0); ATTEMPT("fork", p > 0);', True),
        (
            "forks without end",
            "for (int i = 0; i < 5000; i++) { pid_t p = fork(); if (p == 0) { pause(); _exit(0); } if (p < 0) "
            "return 0; }"
            'ATTEMPT("bomb", 1);',
            False,
        ),
        ("clones by the system call", 'ATTEMPT("clone", syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) >= 0);', False),
        (
            "uses the calls of 32 bits",
            'long r; __asm__ volatile("int $0x80" : "=a"(r) : "a"(2L) : "memory"); ATTEMPT("fork32", r >= 0);',
            False,
        ),
        ("uses the calls of x32", 'ATTEMPT("x32", syscall(0x40000000 + 57) >= 0);', False),
        ("becomes a daemon", 'ATTEMPT("daemon", daemon(0, 0) == 0); sleep(1);', False),
        (
            "allocates without end",
            "size_t n = 0; while (n < (3UL << 30)) { char *p = malloc(1 << 20); if (!p) return 0;"
            'memset(p, 1, 1 << 20); n += 1 << 20; } ATTEMPT("memory", 1);',
            False,
        ),
        (
            "shares memory of a deleted file",
            'int f = open("/dev/shm/x", O_CREAT | O_RDWR, 0600); unlink("/dev/shm/x");'
            "if (ftruncate(f, 500 << 20)) return 0; char *p = mmap(0, 500 << 20, 3, MAP_SHARED, f, 0);"
            'if (p == MAP_FAILED) return 0; for (long i = 0; i < 500L << 20; i += 4096) p[i] = 1; ATTEMPT("shm", 1);',
            False,
        ),
        ("overflows the stack", 'volatile char big[1 << 28]; big[0] = 1; ATTEMPT("stack", big[0] == 0);', False),
        ("signals everyone", 'ATTEMPT("kill", kill({process}, SIGTERM) == 0);', True),
        ("executes what it wrote", 'ATTEMPT("environment", getenv("CLONETRUTH_TOKEN") != NULL);', True),
        (
            "passes descriptors to strangers",
            "int s = socket(AF_UNIX, SOCK_STREAM, 0); struct { unsigned short f; char p[100]; } a = {AF_UNIX, "
            '"{socket}"};'
            'ATTEMPT("unix", connect(s, (void *)&a, sizeof a) == 0);',
            True,
        ),
    )
]

COMPILE_TIME = {
    "includes a secret": '#include "{secret}"\nint main(void) { return 0; }\n',
    "embeds a secret": '__asm__(".incbin \\"{secret}\\"");\nint main(void) { return 0; }\n',
    "includes a device": '#include "/dev/zero"\nint main(void) { return 0; }\n',
    "expands without end": "#define A B B B B\n#define B C C C C\n#define C D D D D\n#define D E E E E\n#define "
    "E F F F F\n"
    "#define F G G G G\n#define G H H H H\n#define H I I I I\n#define I J J J J\n#define J K K K K\n#define K L L L L\n"
    '#define L "xxxxxxxxxxxxxxxx"\nconst char *text = A;\nint main(void) { return 0; }\n',
    "initialises gigabytes": "int big[1 << 30] = {1};\nint main(void) { return 0; }\n",
}
"""C programs that attack the compiler."""

_NODE_START = """\
const fs = require('fs'), net = require('net'), cp = require('child_process'), os = require('os');
function attempt(what, action) {
  try { const found = action(); console.log(found ? 'ESCAPED' : 'held', what, String(found).slice(0, 80)); }
  catch (error) { console.log('held', what, error.code || error.name); }
}
"""

NODE = [
    Attack(name, "javascript", _NODE_START + body, control)
    for name, body, control in (
        ("reads a secret", "attempt('secret', () => fs.readFileSync('{secret}', 'utf8'));", True),
        ("writes outside", "attempt('write', () => fs.writeFileSync('{folder}/planted', 'x') || true);", True),
        ("starts a program", "attempt('spawn', () => cp.spawnSync('/usr/bin/id').pid);", True),
        (
            "connects to the host",
            "const s = net.connect({port}, '127.0.0.1', () => { console.log('ESCAPED loopback'); process.exit(); });\n"
            "s.on('error', e => console.log('held', e.code));",
            True,
        ),
        ("signals strangers", "attempt('kill', () => process.kill({process}, 'SIGTERM'));", True),
        ("reads the environment", "attempt('token', () => process.env.CLONETRUTH_TOKEN);", True),
        (
            "allocates buffers beyond the heap",
            "attempt('buffers', () => { const keep = []; for (let n = 0; n < 30; n++) keep.push(Buffer.alloc(1 "
            "<< 27, 1));"
            " return keep.length; });",
            False,
        ),
        (
            "starts workers",
            "const { Worker } = require('worker_threads'); let started = 0;\n"
            "for (let n = 0; n < 500; n++) { try { const w = new Worker('setInterval(()=>0,1000)', {eval: true});"
            " w.on('error', () => 0); w.on('online', () => { if (++started == 400) console.log('ESCAPED', "
            "started); }); }"
            " catch (e) { console.log('held', e.code); break; } }",
            False,
        ),
    )
]

_JAVA_START = """\
import java.io.*; import java.net.*; import java.nio.*; import java.nio.file.*; import java.util.*;
public class Main {
  interface Action { Object run() throws Throwable; }
  static void attempt(String what, Action action) {
    try { Object found = action.run(); boolean out = found != null && !Boolean.FALSE.equals(found);
      System.out.println((out ? "ESCAPED " : "held ") + what); }
    catch (Throwable error) { System.out.println("held " + what + " " + error.getClass().getSimpleName()); }
  }
  public static void main(String[] args) throws Throwable {
"""

JAVA = [
    Attack(name, "java", _JAVA_START + body + "\n  }\n}\n", control)
    for name, body, control in (
        ("reads a secret", 'attempt("secret", () -> Files.readString(Path.of("{secret}")));', True),
        ("writes outside", 'attempt("write", () -> Files.writeString(Path.of("{folder}/planted"), "x"));', True),
        ("starts a program", 'attempt("exec", () -> new ProcessBuilder("/usr/bin/id").start());', True),
        ("connects to the host", 'attempt("loopback", () -> new Socket("127.0.0.1", {port}));', True),
        (
            "listens",
            'attempt("listen", () -> new ServerSocket(0));\n'
            'attempt("unix", () -> java.nio.channels.SocketChannel.open(UnixDomainSocketAddress.of("{socket}")));',
            True,
        ),
        ("reads the environment", 'attempt("token", () -> System.getenv("CLONETRUTH_TOKEN"));', True),
        (
            "allocates outside of the heap",
            'attempt("direct", () -> { var keep = new ArrayList<ByteBuffer>();'
            " for (int n = 0; n < 40; n++) { var one = ByteBuffer.allocateDirect(1 << 26);"
            " while (one.hasRemaining()) one.putLong(1); keep.add(one); } return keep; });\n"
            'attempt("unsafe", () -> { var f = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");'
            " f.setAccessible(true); var u = (sun.misc.Unsafe) f.get(null); long all = 0;"
            " for (int n = 0; n < 96; n++) { long p = u.allocateMemory(1 << 26); u.setMemory(p, 1 << 26, (byte) 1);"
            " all += 1 << 26; } return all; });",
            False,
        ),
        (
            "starts thousands of threads",
            'attempt("threads", () -> { for (int n = 0; n < 2000; n++) { var t = new Thread(() -> {'
            " try { Thread.sleep(20000); } catch (InterruptedException e) {} }); t.setDaemon(true); t.start(); }"
            " return true; });\nRuntime.getRuntime().halt(0);",
            False,
        ),
        (
            "sees processes of the host",
            'attempt("processes", () -> ProcessHandle.allProcesses().anyMatch(p -> p.pid() == {process}));',
            True,
        ),
    )
]

ATTACKS = [*PYTHON, *C, *NODE, *JAVA]

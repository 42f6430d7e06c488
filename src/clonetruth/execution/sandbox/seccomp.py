"""The system calls that code in the sandbox may not make, as a filter that the kernel runs.

It is a list of what is refused; everything else is allowed, because six languages with their compilers need too much to
list. Names are given per architecture; a call that an architecture does not have is left out there.
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_X86_64 = {
    "ioctl": 16,
    "shmget": 29,
    "socket": 41,
    "clone": 56,
    "fork": 57,
    "vfork": 58,
    "semget": 64,
    "msgget": 68,
    "ptrace": 101,
    "syslog": 103,
    "uselib": 134,
    "personality": 135,
    "ustat": 136,
    "vhangup": 153,
    "modify_ldt": 154,
    "pivot_root": 155,
    "_sysctl": 156,
    "adjtimex": 159,
    "chroot": 161,
    "acct": 163,
    "settimeofday": 164,
    "mount": 165,
    "umount2": 166,
    "swapon": 167,
    "swapoff": 168,
    "reboot": 169,
    "sethostname": 170,
    "setdomainname": 171,
    "iopl": 172,
    "ioperm": 173,
    "init_module": 175,
    "delete_module": 176,
    "quotactl": 179,
    "lookup_dcookie": 212,
    "remap_file_pages": 216,
    "clock_settime": 227,
    "mbind": 237,
    "set_mempolicy": 238,
    "mq_open": 240,
    "kexec_load": 246,
    "add_key": 248,
    "request_key": 249,
    "keyctl": 250,
    "migrate_pages": 256,
    "unshare": 272,
    "move_pages": 279,
    "perf_event_open": 298,
    "fanotify_init": 300,
    "prlimit64": 302,
    "name_to_handle_at": 303,
    "open_by_handle_at": 304,
    "clock_adjtime": 305,
    "setns": 308,
    "process_vm_readv": 310,
    "process_vm_writev": 311,
    "kcmp": 312,
    "finit_module": 313,
    "memfd_create": 319,
    "kexec_file_load": 320,
    "bpf": 321,
    "userfaultfd": 323,
}

_AARCH64 = {
    "ioctl": 29,
    "lookup_dcookie": 18,
    "umount2": 39,
    "mount": 40,
    "pivot_root": 41,
    "chroot": 51,
    "vhangup": 58,
    "quotactl": 60,
    "acct": 89,
    "personality": 92,
    "unshare": 97,
    "kexec_load": 104,
    "init_module": 105,
    "delete_module": 106,
    "clock_settime": 112,
    "syslog": 116,
    "ptrace": 117,
    "reboot": 142,
    "sethostname": 161,
    "setdomainname": 162,
    "settimeofday": 170,
    "adjtimex": 171,
    "mq_open": 180,
    "msgget": 186,
    "semget": 190,
    "shmget": 194,
    "socket": 198,
    "add_key": 217,
    "request_key": 218,
    "keyctl": 219,
    "clone": 220,
    "swapon": 224,
    "swapoff": 225,
    "remap_file_pages": 234,
    "mbind": 235,
    "set_mempolicy": 237,
    "migrate_pages": 238,
    "move_pages": 239,
    "perf_event_open": 241,
    "fanotify_init": 262,
    "name_to_handle_at": 264,
    "open_by_handle_at": 265,
    "prlimit64": 261,
    "clock_adjtime": 266,
    "setns": 268,
    "process_vm_readv": 270,
    "process_vm_writev": 271,
    "kcmp": 272,
    "finit_module": 273,
    "memfd_create": 279,
    "bpf": 280,
    "userfaultfd": 282,
    "kexec_file_load": 294,
}

_NEWER = {
    "pidfd_send_signal": 424,
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "pidfd_open": 434,
    "clone3": 435,
    "pidfd_getfd": 438,
    "process_madvise": 440,
    "mount_setattr": 442,
    "quotactl_fd": 443,
    "memfd_secret": 447,
    "set_mempolicy_home_node": 450,
}
"""Calls since Linux 5.1 have the same number everywhere."""


@dataclass(frozen=True)
class Architecture:
    """Numbers of one kind of processor.

    Attributes:
        audit: how the kernel names it in a filter.
        calls: numbers of system calls.
        foreign_from: first number of calls of another binary interface; None if there is none.
    """

    audit: int
    calls: Mapping[str, int]
    foreign_from: int | None = None


ARCHITECTURES: Mapping[str, Architecture] = {
    "x86_64": Architecture(0xC000003E, _X86_64 | _NEWER, foreign_from=0x40000000),
    "aarch64": Architecture(0xC00000B7, _AARCH64 | _NEWER),
}

_CONDITIONAL = ("clone", "clone3", "fork", "ioctl", "prlimit64", "socket", "vfork")
"""Calls whose arguments or whose purpose decide."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _AUDIT_ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000

_CLONE_THREAD = 0x00010000
_CLONE_NEW_NAMESPACES = 0x7E020000
_AF_UNIX = 1
_TERMINAL_INPUT = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX: put characters into the input of the terminal."""

_Instruction = tuple[int, int, int, int]


def seccomp_filter(machine: str | None = None, *, forks: bool = False) -> bytes:
    """The filter as the kernel and bubblewrap read it.

    Args:
        machine: a name in `ARCHITECTURES` (default: this machine).
        forks: whether processes may be started, as compilers do; threads always may.

    Raises:
        KeyError: the architecture is unknown; see `ARCHITECTURES`.
    """
    architecture = ARCHITECTURES[machine or platform.machine()]
    program: list[_Instruction] = [
        (_LOAD, 0, 0, _AUDIT_ARCHITECTURE),
        (_EQUAL, 1, 0, architecture.audit),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if architecture.foreign_from is not None:
        program += [(_AT_LEAST, 0, 1, architecture.foreign_from), (_RETURN, 0, 0, _KILL)]
    for name, block in _conditions(forks).items():
        program += _when(architecture, name, block)
    for name in architecture.calls:
        if name not in _CONDITIONAL:
            program += _when(architecture, name, [_refuse(errno.EPERM)])
    program.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *one) for one in program)


def _conditions(forks: bool) -> dict[str, list[_Instruction]]:
    """What decides on each conditional call; every block ends with an answer."""
    flags = _argument(0)
    allow = (_RETURN, 0, 0, _ALLOW)
    no_process = [] if forks else [(_ANY_BIT, 1, 0, _CLONE_THREAD), _refuse(errno.EPERM)]
    blocks: dict[str, list[_Instruction]] = {
        # The C library then uses clone, whose flags a filter can see.
        "clone3": [_refuse(errno.ENOSYS)],
        "clone": [flags, (_ANY_BIT, 0, 1, _CLONE_NEW_NAMESPACES), _refuse(errno.EPERM), *no_process, allow],
        "socket": [_argument(0), (_EQUAL, 1, 0, _AF_UNIX), _refuse(errno.EPERM), allow],
        "ioctl": [_argument(1)],
        # A process limits itself, and no other.
        "prlimit64": [_argument(0), (_EQUAL, 1, 0, 0), _refuse(errno.EPERM), allow],
    }
    for request in _TERMINAL_INPUT:
        blocks["ioctl"] += [(_EQUAL, 0, 1, request), _refuse(errno.EPERM)]
    blocks["ioctl"].append(allow)
    if not forks:
        blocks |= {"fork": [_refuse(errno.EPERM)], "vfork": [_refuse(errno.EPERM)]}
    return blocks


def _when(architecture: Architecture, name: str, block: Sequence[_Instruction]) -> list[_Instruction]:
    number = architecture.calls.get(name)
    return [] if number is None else [(_EQUAL, 0, len(block), number), *block]


def _argument(index: int) -> _Instruction:
    """Loads the lower half of an argument: the kernel ignores the upper half of these."""
    return (_LOAD, 0, 0, _ARGUMENTS + 8 * index)


def _refuse(error: int) -> _Instruction:
    return (_RETURN, 0, 0, _ERROR | error)

"""What may happen to a file on its way: the fixed corpus by which every importer is tried."""

from __future__ import annotations

import gzip
import io
import lzma
import random
import zipfile
from collections.abc import Callable
from pathlib import Path


def cut(data: bytes, random_: random.Random) -> bytes:
    return data[: random_.randrange(len(data) + 1)]


def cut_in_half(data: bytes, random_: random.Random) -> bytes:
    return data[: len(data) // 2]


def without_last_byte(data: bytes, random_: random.Random) -> bytes:
    return data[:-1]


def empty(data: bytes, random_: random.Random) -> bytes:
    return b""


def binary(data: bytes, random_: random.Random) -> bytes:
    return random_.randbytes(3000)


def nul_bytes(data: bytes, random_: random.Random) -> bytes:
    return b"\0" * 1000


def shuffled(data: bytes, random_: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    random_.shuffle(lines)
    return b"".join(lines)


def random_bytes_inserted(data: bytes, random_: random.Random) -> bytes:
    damaged = bytearray(data)
    for _ in range(5):
        position = random_.randrange(len(damaged) + 1)
        damaged[position:position] = random_.randbytes(random_.randrange(1, 20))
    return bytes(damaged)


def bytes_changed(data: bytes, random_: random.Random) -> bytes:
    damaged = bytearray(data)
    for _ in range(10 if damaged else 0):
        damaged[random_.randrange(len(damaged))] = random_.randrange(256)
    return bytes(damaged)


def huge_field(data: bytes, random_: random.Random) -> bytes:
    lines = data.splitlines(keepends=True) or [b""]
    number = random_.randrange(len(lines))
    lines[number] = lines[number].rstrip(b"\n") + b"x" * 1_000_000 + b"\n"
    return b"".join(lines)


def huge_line_first(data: bytes, random_: random.Random) -> bytes:
    return b"," * 100_000 + b"\n" + data


def blanks(data: bytes, random_: random.Random) -> bytes:
    return data + b" \n" * 20_000


def doubled(data: bytes, random_: random.Random) -> bytes:
    return data + data


def columns_lost(data: bytes, random_: random.Random) -> bytes:
    return b"\n".join(line.rpartition(b"," if b"," in line else b"\t")[0] for line in data.split(b"\n"))


def columns_gained(data: bytes, random_: random.Random) -> bytes:
    return b"\n".join(line + b",9\t9" for line in data.split(b"\n"))


def not_utf8(data: bytes, random_: random.Random) -> bytes:
    return data.replace(b"a", b"\xff\xfe").replace(b"e", b"\xe9")


DAMAGES: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    cut,
    cut_in_half,
    without_last_byte,
    empty,
    binary,
    nul_bytes,
    shuffled,
    random_bytes_inserted,
    bytes_changed,
    huge_field,
    huge_line_first,
    blanks,
    doubled,
    columns_lost,
    columns_gained,
    not_utf8,
)


STORED = (cut_in_half, doubled)
"""Damages after which the folder is written too: some rows of theirs are good."""


def packed(file: Path, damage: Callable[[bytes], bytes]) -> list[bytes]:
    """The file with what is packed in it damaged, instead of the packing; one for each of its first members."""
    data = file.read_bytes()
    if file.suffix == ".gz":
        return [gzip.compress(damage(gzip.decompress(data)))]
    if file.suffix == ".xz":
        return [lzma.compress(damage(lzma.decompress(data)), preset=0)]
    if not zipfile.is_zipfile(file):
        return []
    with zipfile.ZipFile(file) as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist()}
    found = []
    for name in list(members)[:2]:
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            for other, content in members.items():
                archive.writestr(other, damage(content) if other == name else content)
        found.append(stream.getvalue())
    return found

"""What code reads of the machine that it runs on: a difference that rests on it says something about the sandbox."""

from __future__ import annotations

import re

from clonetruth.execution.harness.harness import Code, Reason
from clonetruth.execution.inputs.telling_values import FILE_NAMES

_ASKS = re.compile(
    r"\bos\s*\.\s*(?:environ\b(?:\s*\.\s*get)?|getenv|getlogin|getpid|uname|cpu_count|name\b|path\s*\.\s*expand\w+)(?:\s*[\[(][^\])\n]*)?"
    r"|\bplatform\s*\.\s*\w+\s*\(|\bsys\s*\.\s*(?:platform|maxsize|version\w*|executable)\b"
    r"|\bsocket\s*\.\s*gethostname|\bgetpass\s*\.\s*getuser"
    r"|\bSystem\s*\.\s*(?:getenv|getProperty)\s*\((?!\s*\"line\.separator\")[^)\n]*"
    r"|\bgetRuntime\s*\(\s*\)\s*\.\s*\w+"
    r"|\bEnvironment\s*\.\s*(?:(?:GetEnvironmentVariable|GetFolderPath)\s*\([^)\n]*|MachineName|UserName|OSVersion|ProcessorCount|"
    r"CurrentDirectory|Is64\w+)"
    r"|\bprocess\s*\.\s*(?:env\b[^;,)\n]*|platform|arch|pid|versions?|cwd)"
    r"|\bos\s*\.\s*(?:hostname|homedir|cpus|type|arch|release|tmpdir)\s*\("
    r"|\b(?:secure_)?getenv\s*\([^)\n]*|\bos\.(?:Getenv|LookupEnv|Hostname)\s*\([^)\n]*"
)
_READS_FILES = re.compile(
    r"\b(?:open|exists|lexists|isfile|isdir|listdir|scandir|walk|glob|iglob|stat|getsize|getmtime|access|is_file|is_dir|"
    r"iterdir|read_text|read_bytes)\s*\("
)
_WRITES = re.compile(r"\bopen\s*\([^()\n]*,\s*(?:mode\s*=\s*)?['\"][wax][^'\"\n]*['\"]")
_PATH = re.compile(
    r"""['"]((?:~|\.{1,2}|[\w-]+)?(?:/+[\w.~-]+)+/*|[A-Za-z]:[/\\][^'"\n]+"""
    r"""|[\w-]+\.(?:txt|csv|tsv|json|xml|ya?ml|ini|cfg|conf|dat|log|db|html?|py|png|jpe?g))['"]"""
)
"""Backslashes only behind a drive: elsewhere they are escapes."""


def machine_state(left: Code, right: Code, texts: tuple[str, str]) -> tuple[Reason, str] | None:
    """Why a difference between two functions may rest on the machine, and not on their inputs: each asks for something
    else of it, or one looks at a file that is written in the code and is not there. None if nothing says so.

    Args:
        left: one side.
        right: the other.
        texts: the functions that are run.
    """
    asked = [{"".join(one[0].split()) for one in _ASKS.finditer(text)} for text in texts]
    if (asked[0] or asked[1]) and (asked[0] != asked[1] or left.language != right.language):
        return Reason.MACHINE, min(asked[0] ^ asked[1] or asked[0])[:80]
    for code, text in zip((left, right), texts, strict=True):
        missing = _missing_file(text) if code.language == "python" else None
        if missing is not None:
            return Reason.FILE, missing
    return None


def _missing_file(text: str) -> str | None:
    """A path that is written in a text that looks at files, and that the sandbox does not have."""
    reads = _WRITES.sub("", text)
    if not _READS_FILES.search(reads):
        return None
    return next((one[1] for one in _PATH.finditer(reads) if one[1].rstrip("/") not in FILE_NAMES), None)

"""Code that nobody wrote here: generated files, and folders of other people's code and of build output."""

from __future__ import annotations

import re
from pathlib import Path

HEAD_BYTES = 4096
"""How much of a file tells whether it was generated: licence texts come first."""

_GENERATED_NAME = re.compile(
    r".*(?:_pb2(?:_grpc)?\.pyi?|\.pb(?:\.gw)?\.(?:go|h|cc)|_pb\.[jt]s"  # protocol buffers
    r"|\.g(?:\.i)?\.cs|\.designer\.cs|[._]generated\.\w+|\.gen\.\w+|[.-]min\.js|\.bundle\.js|\.tab\.[ch])"
    r"|(?:moc|qrc)_.*\.cpp|ui_.*\.h|lex\.yy\.c",
    re.IGNORECASE | re.DOTALL,
)
_GENERATED_HINTS = (b"enerated", b"ENERATED", b"DO NOT ")
"""What is quickly looked for: one of these is in every remark."""
_GENERATED_COMMENT = re.compile(
    rb"^[ \t]*(?:#|//|/?\*+|--|<!--)[ \t]*(?:"
    rb"(?-i:Code generated|[Aa]uto-?[Gg]enerated|Generated|GENERATED) (?:automatically )?(?:by|from|with)\b|"
    rb".*?(?:@generated\b|<auto-?generated|\b(?-i:DO NOT EDIT|DO NOT MODIFY)\b|"
    rb"\bthis (?:file|class|code|source) (?:was|is|has been) (?:auto-?|automatically )?generated\b))",
    re.IGNORECASE | re.MULTILINE,
)
_GENERATED_ANNOTATION = re.compile(rb"^[ \t]*@(?:\w+\.)*Generated\b", re.MULTILINE)
_MINIFIED_LANGUAGES = ("javascript", "typescript", "tsx")
_MINIFIED_LINE = 500
"""Bytes of an average line from which on nobody wrote it."""

_VENDORED = frozenset(
    (
        *("node_modules", "bower_components", "jspm_packages", "vendor", "vendors", "Pods", "Carthage"),
        *("third_party", "third-party", "thirdparty", "3rdparty", "site-packages", "dist-packages", "__pypackages__"),
        *(".venv", "venv", ".tox", ".nox", ".eggs"),
    )
)
_BUILT = frozenset(("build", "dist", "target", "out", "obj"))
_PROJECT_FILES = (
    *("pyproject.toml", "setup.py", "package.json", "pom.xml", "build.gradle", "build.gradle.kts", "build.xml"),
    *("CMakeLists.txt", "Makefile", "go.mod", "Cargo.toml", "*.csproj", "*.sln"),
)
REPOSITORIES = frozenset((".git", ".hg", ".svn", ".bzr", "CVS"))
"""Folders of version control: no code is looked for in them."""


def is_generated(name: str, head: bytes, language: str) -> bool:
    """Whether a program wrote the file: by its name, a remark in a comment near the top, or lines that nobody writes.

    Args:
        name: the file's own name.
        head: its first `HEAD_BYTES` bytes.
        language: the name of its language.
    """
    if _GENERATED_NAME.fullmatch(name):
        return True
    if any(hint in head for hint in _GENERATED_HINTS) and (
        _GENERATED_COMMENT.search(head) or (language == "java" and _GENERATED_ANNOTATION.search(head))
    ):
        return True
    if language not in _MINIFIED_LANGUAGES or len(head) < HEAD_BYTES:
        return False
    return len(head) // (head.count(b"\n") + 1) >= _MINIFIED_LINE


def is_vendored(folder: Path) -> bool:
    """Whether a folder holds other people's code, or what a build made of this one.

    By its name; names that also mean other things (`build`, `out`) only where a project file stands beside the folder.
    """
    if folder.name in _VENDORED or (folder / "pyvenv.cfg").is_file():
        return True
    return folder.name in _BUILT and any(
        next(folder.parent.glob(pattern), None) is not None for pattern in _PROJECT_FILES
    )

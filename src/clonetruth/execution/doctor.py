"""`clonetruth execution doctor`: what can run on this machine."""

from __future__ import annotations

import stat
from dataclasses import dataclass, replace
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.execution.sandbox import Bubblewrap, Container, Layer, Sandbox
from clonetruth.execution.toolchains import TOOLCHAINS, version_inside
from clonetruth.options import verb
from clonetruth.options.execution import ExecutionDoctorOptions, SandboxOptions


@dataclass(frozen=True)
class LanguageState:
    """Whether a language runs.

    Attributes:
        language: the language.
        version: what the program says inside the sandbox; None if it does not run there.
        missing: what is missing; None if nothing is.
        install: how to get it.
    """

    language: str
    version: str | None
    missing: str | None
    install: str


@dataclass(frozen=True)
class ExecutionState:
    """What can run on this machine.

    Attributes:
        sandbox: what encloses the code.
        verified: whether the attack suite of clonetruth runs in this kind of sandbox.
        layers: its layers.
        languages: the languages; empty if the sandbox is not complete.
    """

    sandbox: str
    verified: bool
    layers: tuple[Layer, ...]
    languages: tuple[LanguageState, ...]

    @property
    def complete(self) -> bool:
        """Whether every layer that is needed is there."""
        return all(one.missing is None for one in self.layers if one.needed)


def open_sandbox(options: SandboxOptions) -> Sandbox:
    """The sandbox that was asked for.

    Raises:
        InputError: a container without an image, or a Python environment that cannot be used.
    """
    if options.sandbox == "bubblewrap":
        if options.image is not None:
            raise InputError("An image is for containers.", where="--image", hint="Add --sandbox docker or podman.")
        return Bubblewrap(packages=packages_of(options.python) if options.python else ())
    if options.python is not None:
        raise InputError("Packages of a container are those of its image.", where="--python")
    if options.image is None:
        raise InputError(
            f"The sandbox '{options.sandbox}' needs an image with compilers and interpreters.",
            where="--image",
            hint="docs/execution.md has a container file.",
        )
    return Container(options.sandbox, options.image)


def packages_of(environment: Path) -> tuple[str, ...]:
    """The folders of packages of a virtual environment; its interpreter is not started.

    Args:
        environment: its folder, or its interpreter.

    Raises:
        InputError: there are none, or the user that code runs as cannot read them.
    """
    folder = environment if environment.is_dir() else environment.absolute().parent.parent
    found = sorted(folder.absolute().glob("lib/python3*/site-packages"))
    if not (folder / "pyvenv.cfg").is_file() or not found:
        raise InputError(
            "Not a virtual environment: it has no pyvenv.cfg, or no packages.",
            where=environment,
            hint="Name the folder that python -m venv made, or its bin/python.",
        )
    for packages in found:
        for one in (packages, *packages.parents):
            if not one.stat().st_mode & stat.S_IXOTH:
                raise InputError(
                    f"The sandbox runs as a user that cannot enter {one}.",
                    where=environment,
                    hint="Put the environment where every user can read it, such as below /opt or /tmp.",
                )
    return tuple(map(str, found))


@verb(ExecutionDoctorOptions)
def examine_execution(options: ExecutionDoctorOptions) -> ExecutionState:
    """Find out what can run on this machine.

    Examples:
        >>> import clonetruth
        >>> clonetruth.examine_execution().sandbox
        'bubblewrap'

    Raises:
        InputError: a container without an image.
    """
    sandbox = open_sandbox(options)
    state = ExecutionState(options.sandbox, sandbox.verified, sandbox.layers(), ())
    if not state.complete:
        return state
    return replace(state, languages=tuple(_state(name, sandbox) for name in TOOLCHAINS))


def _state(language: str, sandbox: Sandbox) -> LanguageState:
    """The first toolchain of a language that runs, or what the preferred one lacks."""
    for one in TOOLCHAINS[language]:
        if not one.missing(sandbox) and (version := version_inside(one, sandbox)) is not None:
            return LanguageState(language, version, None, "")
    preferred = TOOLCHAINS[language][0]
    absent = preferred.missing(sandbox)
    missing = f"not installed: {', '.join(absent)}" if absent else "does not run in the sandbox"
    return LanguageState(language, None, missing, preferred.install)

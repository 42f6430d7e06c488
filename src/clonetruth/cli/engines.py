"""The options that say where SQL runs, shared by every verb that asks a benchmark much."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def engine_options(command: Command) -> Command:
    """Add `--engine` and `--memory-limit`, which a command takes as `engine` and `memory_limit`."""
    engine = click.option(
        "--engine",
        default=None,
        metavar="NAME",
        help="Where SQL runs: duckdb (the default), spark, or spark=spark://host:port.",
    )
    memory = click.option(
        "--memory-limit",
        "--memory",
        "memory_limit",
        default=None,
        metavar="SIZE",
        help="Memory that the engine may use, for instance 4GB.",
    )
    return engine(memory(command))

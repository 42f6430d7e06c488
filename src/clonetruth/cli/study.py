"""`clonetruth study …`: samples put before judges, their agreement, and what follows from it."""

from __future__ import annotations

import click

from clonetruth.cli.study_judges import invite, judges, revoke
from clonetruth.cli.study_llm import llm
from clonetruth.cli.study_outcome import agree, estimate, export, resolve
from clonetruth.cli.study_sample import info, sample
from clonetruth.cli.study_serve import serve


@click.group()
def study() -> None:
    """Sample, judge, agree: know how good the labels of a benchmark are."""


for command in (sample, info, invite, revoke, judges, serve, llm, agree, resolve, estimate, export):
    study.add_command(command)

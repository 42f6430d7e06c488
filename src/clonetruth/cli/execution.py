"""`clonetruth execution …`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from clonetruth.cli.output import show_json, show_table
from clonetruth.cli.verb import verb_command
from clonetruth.errors import MissingExtraError
from clonetruth.options.execution import ExecutionDoctorOptions

if TYPE_CHECKING:
    from clonetruth.execution.sandbox import Layer


@verb_command(ExecutionDoctorOptions)
def doctor(options: ExecutionDoctorOptions) -> None:
    """Show the layers and the languages; fail if nothing can run."""
    from clonetruth.execution import examine_execution

    state = examine_execution(options)
    if options.json:
        show_json({**asdict(state), "complete": state.complete})
    else:
        kind = "verified by the attack suite" if state.verified else "not verified: the attack suite has not run in it"
        show_table(
            f"The sandbox '{state.sandbox}' ({kind})",
            ("layer", "state", "to install"),
            [(one.name, _state(one), one.install if one.missing else "") for one in state.layers],
        )
        if state.languages:
            show_table(
                "Languages",
                ("language", "in the sandbox", "to install"),
                [(one.language, one.version or one.missing or "", one.install) for one in state.languages],
            )
    if not state.complete:
        raise MissingExtraError("Nothing can run: the sandbox is not complete.", hint="Install what is missing.")


def _state(layer: Layer) -> str:
    if layer.missing is None:
        return "there"
    return layer.missing if layer.needed else f"{layer.missing} (optional)"

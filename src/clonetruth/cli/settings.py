"""Commands whose options a project may set: `[tool.clonetruth.NAME]` of pyproject.toml, `[NAME]` of clonetruth.toml."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from clonetruth.errors import InputError

if TYPE_CHECKING:
    from clonetruth.formats.settings import Settings


class ConfiguredCommand(click.Command):
    """A command whose options may stand in the project's settings under their long names; the command line goes first.

    Paths there are relative to the file. What says where a result goes cannot be set.
    """

    UNSET = ("output",)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """See `click.Command.make_context`."""
        from clonetruth.formats.settings import read_settings

        settings = read_settings(info_name or "", Path.cwd())
        if settings is None:
            return super().make_context(info_name, args, parent, **extra)
        try:
            return super().make_context(info_name, args, parent, default_map=self._defaults(settings), **extra)
        except click.BadParameter as error:
            wrong, context = error.param, error.ctx
            if wrong is None or wrong.name is None or context is None:
                raise
            if context.get_parameter_source(wrong.name) is not ParameterSource.DEFAULT_MAP:
                raise
            raise InputError(
                f"The setting '{_long(wrong)}' cannot be used: {error.message}", where=settings.path
            ) from error

    def _defaults(self, settings: Settings) -> dict[str, Any]:
        known = self._settable()
        defaults: dict[str, Any] = {}
        for name, value in settings.values.items():
            if name not in known:
                raise InputError(
                    f"The command '{self.name}' has no setting '{name}'.",
                    where=settings.path,
                    hint=f"Known: {', '.join(known)}.",
                )
            option = known[name]
            if isinstance(value, str):
                # A path is relative to where it stands; of what may be given several times, one is enough.
                value = str(settings.path.parent / value) if isinstance(option.type, click.Path) else value
                value = [value] if option.multiple else value
            defaults[option.name or name] = value
        return defaults

    def _settable(self) -> dict[str, click.Option]:
        options = [one for one in self.params if isinstance(one, click.Option) and one.name not in self.UNSET]
        return {_long(option): option for option in options}


def _long(option: click.Parameter) -> str:
    return max(option.opts, key=len).lstrip("-")

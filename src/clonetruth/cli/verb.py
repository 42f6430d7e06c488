"""A command of the command line, derived from the options object of its verb."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from clonetruth.cli.output import show_note
from clonetruth.errors import InputError, explained
from clonetruth.options.declaration import Option, Options
from clonetruth.options.settings import Settings, read_settings

OptionsT = TypeVar("OptionsT", bound=Options)

_OLD = "_old_"
_SETTINGS = "clonetruth.settings"


class VerbCommand(click.Command):
    """A command whose parameters are the options of a verb.

    What the command line does not give comes from the settings files, and else from the defaults.
    """

    def __init__(self, name: str, options_type: type[Options], run: Callable[[Any], int | None], **extra: Any) -> None:
        self.options_type = options_type
        self._run = run
        super().__init__(
            name,
            callback=None,
            params=[*_parameters(options_type), self._trust()],
            help=inspect.cleandoc(options_type.__doc__ or ""),
            **extra,
        )

    def _trust(self) -> click.Option:
        return click.Option(
            ["--trust/--no-trust"],
            default=None,
            is_eager=True,
            expose_value=False,
            callback=self._read_settings,
            help="Accept or ignore project settings that need trust (default: stop with an error).",
        )

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """See `click.Command.make_context`."""
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.BadParameter as error:
            if error.param is None or error.param.name is None or error.ctx is None:
                raise
            if error.ctx.get_parameter_source(error.param.name) is not ParameterSource.DEFAULT_MAP:
                raise
            word = max(error.param.opts, key=len).lstrip("-")
            file = error.ctx.meta[_SETTINGS].files.get(error.param.name)
            raise InputError(f"The setting '{word}' cannot be used: {error.message}", where=file) from error

    def _read_settings(self, ctx: click.Context, _parameter: click.Parameter, trust: bool | None) -> None:
        """Take the settings as defaults. The option --trust is eager, so that this precedes all other options."""
        settings = read_settings(self.options_type, Path.cwd(), trust=trust)
        ctx.meta[_SETTINGS] = settings
        ctx.default_map = _default_map(settings)

    def invoke(self, ctx: click.Context) -> None:
        """Build the options, run the verb, and exit with its code."""
        given = dict(ctx.params)
        for one in self.options_type.declared():
            for old in one.declaration.old:
                value = given.pop(_OLD + _identifier(old), None)
                if value not in (None, (), False):
                    _notice(old, one.flag)
                    given[one.name] = value
        for one in self.options_type.declared():
            if given[one.name] == () and not one.required:
                # click's way to say that an option or argument of several values was not given.
                given[one.name] = one.default
        code = self._run(self.options_type(**given))
        if code:
            ctx.exit(code)


_TELLING = 25
"""Characters of a purpose that say enough."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are used: `clonetruth find` does not wait for the others.

    Args:
        lines: commands by name, in the order of a user's work: the ``"module:attribute"`` of each, or a group.
    """

    def __init__(self, *arguments: Any, lines: Mapping[str, str | click.Group], **extra: Any) -> None:
        super().__init__(*arguments, **extra)
        self._lines = lines

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; whatever ends it is one of click's exceptions or one of our errors.

        click itself would take a closed pipe or an end of file, wherever it comes from, for the user stopping it.
        """
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            shown = explained(error)
            if shown is error:
                raise
            raise shown from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        """See `click.Group.list_commands`."""
        return list(self._lines)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """See `click.Group.get_command`."""
        line = self._lines.get(cmd_name)
        if line is None or isinstance(line, click.Group):
            return line
        module, _, attribute = line.partition(":")
        found: click.Command = getattr(import_module(module), attribute)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with what each is for; click would cut that in the middle of a phrase."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, _purpose(one)) for name, one in commands if one is not None and not one.hidden])


def _purpose(command: click.Command) -> str:
    """The first sentence of a command's help, without what is behind a colon unless it says little before."""
    sentence = re.split(r"(?<! al)\.(?:\s|$)", (command.help or "").strip(), maxsplit=1)[0]
    before, _, _ = (sentence := " ".join(sentence.split())).partition(": ")
    return before if len(before) >= _TELLING else sentence


def verb_command(
    options_type: type[OptionsT], name: str | None = None, command: type[VerbCommand] = VerbCommand
) -> Callable[[Callable[[OptionsT], int | None]], VerbCommand]:
    """Make a command of a function that takes the options of a verb, prints, and may return an exit code."""

    def decorate(function: Callable[[OptionsT], int | None]) -> VerbCommand:
        return command(name or options_type.command.split()[-1], options_type, function)

    return decorate


def _default_map(settings: Settings) -> dict[str, Any]:
    """The settings as click takes them."""
    return {
        name: [f"{key}={item}" for key, item in value.items()] if isinstance(value, dict) else value
        for name, value in settings.values.items()
    }


def _parameters(options_type: type[Options]) -> Iterator[click.Parameter]:
    options = options_type.declared()
    yield from (_argument(one) for one in options if one.declaration.argument)
    for one in options:
        if not one.declaration.argument:
            yield _option(one)
            for old in one.declaration.old:
                yield _option(one, old)


def _argument(one: Option) -> click.Argument:
    metavar = one.declaration.metavar or one.name.upper()
    if one.many:
        metavar = f"{metavar}..." if one.required else f"[{metavar}]..."
    elif not one.required:
        metavar = f"[{metavar}]"
    return click.Argument(
        [one.name],
        nargs=-1 if one.many else 1,
        required=one.required,
        type=_type(one),
        metavar=metavar,
        default=None if one.required or one.many else one.default,
    )


def _option(one: Option, old: str | None = None) -> click.Option:
    declared = one.declaration
    flag = old or one.flag
    if one.kind is bool and one.default is True:
        flag = f"{flag}/--no-{flag.removeprefix('--')}"
    names = [flag] if old else [*sorted(declared.names, key=len), flag]
    shown = not one.required and not isinstance(one.default, bool | tuple | None)
    arguments: dict[str, Any] = {
        "required": one.required and old is None,
        "help": declared.help,
        "metavar": declared.metavar,
        "hidden": old is not None,
        "envvar": declared.envvar,
        "show_default": shown,
    }
    if one.kind is bool:
        arguments["default"] = False if old else one.default
        arguments["is_flag"] = True
    else:
        arguments["type"] = _type(one)
        arguments["multiple"] = one.many or one.kind is dict
        if not one.required and not old and one.default not in (None, ()):
            arguments["default"] = list(one.default) if isinstance(one.default, tuple) else one.default
    if one.kind is dict:
        arguments["metavar"] = declared.metavar or "NAME=VALUE"
    return click.Option([*names, f"{_OLD}{_identifier(old)}" if old else one.name], **arguments)


def _identifier(flag: str) -> str:
    return flag.strip("-").replace("-", "_")


def _type(one: Option) -> click.ParamType[Any]:
    declared = one.declaration
    limits: dict[str, Any] = {"min": declared.minimum, "max": declared.maximum}
    if declared.above is not None:
        limits = {"min": declared.above, "min_open": True, "max": declared.maximum}
    limited = any(limits[name] is not None for name in ("min", "max"))
    if one.kind is Path:
        return click.Path(path_type=Path)
    if one.kind is int:
        return click.IntRange(**limits) if limited else click.INT
    if one.kind is float:
        return click.FloatRange(**limits) if limited else click.FLOAT
    if declared.choices:
        return click.Choice(declared.choices, case_sensitive=False)
    return _NamedValue() if one.kind is dict else click.STRING


class _NamedValue(click.ParamType[str]):
    """A text NAME=VALUE."""

    name = "name=value"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if "=" not in value:
            self.fail(f"'{value}' is not NAME=VALUE.", param, ctx)
        return value


def _notice(old: str, new: str) -> None:
    show_note(f"notice: {old} is now {new}; the old spelling will be removed in the next release.")

"""Recipes: TOML files that name the stages of a making, with their keys."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from clonetruth.budgets import read_text
from clonetruth.errors import InputError, UnknownNameError
from clonetruth.make.registry import STAGES
from clonetruth.make.stage import Stage
from clonetruth.model import CRITERIA
from clonetruth.parsing import parse_toml
from clonetruth.store import hash_json
from clonetruth.store.hashing import hash_file
from clonetruth.store.records import WrongShapeError, build_record

_MORE_THAN_NOTHING = frozenset(
    {
        *("cap", "concurrency", "count", "jobs", "limit", "most_characters", "most_pairs", "most_tokens", "n"),
        *("positives", "processes", "runs", "seconds", "timeout", "tries"),
    }
)
"""Keys of any stage that say how many or how long, so that 0 would leave nothing to do."""
_SHIPPED = files("clonetruth.make") / "recipes"


@dataclass(frozen=True)
class MakeCard:
    """What the card of the new benchmark says; the table `make` of a recipe.

    Attributes:
        name: the benchmark's name.
        description: what it is, in a sentence.
        version: its version.
        licence: the licence of its texts.
        citation: how to cite it.
        criterion: the criterion of its labels.
        known_flaws: what a reader must know.
        seed: the random seed of every stage that has one and does not state its own.
    """

    name: str
    description: str
    version: str = "1"
    licence: str = "as the sources say"
    citation: str = "none stated"
    criterion: str = "functionally-similar"
    known_flaws: tuple[str, ...] = ()
    seed: int | None = None


@dataclass(frozen=True)
class StageStep:
    """A stage of a recipe.

    Attributes:
        name: its own name in the recipe, unique.
        stage: the registered stage.
        options: its keys.
        key: identifies what it makes: its keys, the files that they name, and all stages before it.
    """

    name: str
    stage: Stage
    options: Any
    key: str


@dataclass(frozen=True)
class MakeRecipe:
    """A recipe that was read.

    Attributes:
        card: what the card of the benchmark says.
        steps: the stages in order.
        folder: the folder that its paths are relative to.
        text: the TOML text.
    """

    card: MakeCard
    steps: tuple[StageStep, ...]
    folder: Path
    text: str

    @property
    def parameters(self) -> dict[str, Any]:
        """Every choice, as JSON values, for the lineage of the benchmark."""
        stages = [{"name": one.name, "use": one.stage.name, **asdict(one.options)} for one in self.steps]
        return {"make": asdict(self.card), "stages": stages}


def recipe_names() -> list[str]:
    """The recipes that ship with clonetruth."""
    return sorted(Path(one.name).stem for one in _SHIPPED.iterdir() if one.name.endswith(".toml"))


def read_recipe(name: str | os.PathLike[str], folder: Path | None = None) -> MakeRecipe:
    """Read a recipe: a TOML file, or the name of one that ships.

    Args:
        name: the file or the name.
        folder: what its paths are relative to (default: the folder of the file; the working folder for a name).

    Raises:
        UnknownNameError: it is neither a file nor the name of a recipe, or names an unknown stage.
        InputError: it is not a valid recipe.
    """
    wanted = os.fspath(name)
    shipped = _SHIPPED / f"{wanted}.toml"
    if wanted in recipe_names():
        return parse_recipe(read_text(Path(str(shipped))), folder or Path.cwd(), wanted)
    path = Path(wanted)
    if not path.is_file():
        raise UnknownNameError(
            f"'{wanted}' is neither a file nor a recipe that ships.", hint=f"Known: {', '.join(recipe_names())}."
        )
    try:
        text = read_text(path)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The recipe cannot be read ({error}).", where=path) from error
    return parse_recipe(text, folder or path.parent.absolute(), path)


def parse_recipe(text: str, folder: Path, where: object = None) -> MakeRecipe:
    """Read the text of a recipe.

    Args:
        text: the TOML text.
        folder: what its paths are relative to.
        where: the file, for messages.

    Raises:
        UnknownNameError: it names an unknown stage.
        InputError: it is not a valid recipe.
    """
    try:
        content = parse_toml(text)
    except ValueError as error:
        raise InputError(f"Not a valid TOML file: {error}", where=where) from error
    if unknown := sorted(content.keys() - {"make", "stage"}):
        raise InputError(
            f"The recipe has an unknown entry '{unknown[0]}'.",
            where=where,
            hint="It has a table [make] and one table [[stage]] for each stage.",
        )
    card = _record(MakeCard, content.get("make", {}), "make", where)
    if card.criterion not in CRITERIA:
        raise InputError(
            f"There is no criterion '{card.criterion}'.", where=where, hint=f"Known: {', '.join(CRITERIA)}."
        )
    tables = content.get("stage", [])
    if not isinstance(tables, list) or not tables or not all(isinstance(one, dict) for one in tables):
        raise InputError("The recipe has no stages.", where=where, hint="Give one table [[stage]] for each stage.")
    return MakeRecipe(card, tuple(_steps(tables, folder, where, card.seed)), folder, text)


def with_seed(recipe: MakeRecipe, seed: int, where: object = None) -> MakeRecipe:
    """The recipe with another random seed, in its text, too, so that the folder of the making keeps it.

    Raises:
        InputError: no stage of it takes the seed.
    """
    lines = recipe.text.splitlines()
    begin = next((at for at, line in enumerate(lines) if line.strip() == "[make]"), None)
    drawing = [one.name for one in recipe.steps if hasattr(one.options, "seed")]
    if begin is None or not drawing:
        raise InputError("No stage of this recipe takes a random seed.", where=where, hint="Leave out --seed.")
    end = next((at for at in range(begin + 1, len(lines)) if lines[at].strip().startswith("[")), len(lines))
    own = [line for line in lines[begin + 1 : end] if not line.replace(" ", "").startswith("seed=")]
    text = "\n".join([*lines[: begin + 1], f"seed = {seed}", *own, *lines[end:]]) + "\n"
    return parse_recipe(text, recipe.folder, where)


def _steps(
    tables: Sequence[Mapping[str, Any]], folder: Path, where: object, seed: int | None = None
) -> list[StageStep]:
    steps: list[StageStep] = []
    known: set[str] = set()
    uses = Counter[str]()
    for number, table in enumerate(tables, 1):
        keys = dict(table)
        use = keys.pop("use", None)
        if not isinstance(use, str):
            raise InputError(f"Stage {number} does not say which stage it is.", where=where, hint='Give: use = "NAME".')
        stage = STAGES[use]
        uses[use] += 1
        name = keys.pop("name", use if uses[use] == 1 else f"{use}-{uses[use]}")
        if not isinstance(name, str) or not name.replace("-", "").isalnum() or name in {one.name for one in steps}:
            raise InputError(
                f"The name of stage {number} is not a new word of letters, digits and hyphens.", where=where
            )
        if seed is not None and "seed" in {one.name for one in fields(stage.options)}:
            keys.setdefault("seed", seed)
        options = _record(stage.options, keys, name, where)
        stage.check(options)
        _check_numbers(options, name, where)
        if missing := [one for one in stage.reads if one not in known]:
            raise InputError(
                f"The stage '{name}' needs {missing[0]}, which no stage before it makes.",
                where=where,
                hint=f"Stages that make it: {', '.join(_makers(missing[0]))}.",
            )
        known |= set(stage.writes)
        steps.append(StageStep(name, stage, options, _key(stage, options, steps, folder)))
    return steps


def _check_numbers(options: Any, name: str, where: object) -> None:
    """Refuse numbers that no stage can follow, in its keys and in the tables below them."""
    for one in fields(options):
        value = getattr(options, one.name)
        if isinstance(value, tuple):
            for each in value:
                if is_dataclass(each):
                    _check_numbers(each, name, where)
        if isinstance(value, bool) or not isinstance(value, int | float) or one.name == "seed":
            continue
        if value < 0 or (value == 0 and one.name in _MORE_THAN_NOTHING):
            least = "more than 0" if one.name in _MORE_THAN_NOTHING else "0 or more"
            raise InputError(
                f"The key '{one.name}' of the stage '{name}' is {value}.", where=where, hint=f"Give {least}."
            )


def _makers(artefact: str) -> list[str]:
    return [name for name, stage in STAGES.items() if artefact in stage.writes]


def _key(stage: Stage, options: Any, before: Sequence[StageStep], folder: Path) -> str:
    keys = {name: value for name, value in asdict(options).items() if name not in stage.effort}
    named = {one: _content(folder / one) for one in stage.files(options)}
    return hash_json({"use": stage.name, "keys": keys, "files": named, "before": [one.key for one in before]})


def _content(path: Path) -> str:
    if not path.is_file():
        raise InputError("There is no such file.", where=path, hint="The recipe names it.")
    return hash_file(path)


def _record(kind: type[Any], content: Any, place: str, where: object) -> Any:
    try:
        return build_record(kind, content, place)
    except WrongShapeError as error:
        raise InputError(f"Not a valid recipe: {error}.", where=where, hint="See docs/making.md.") from error

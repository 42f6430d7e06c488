"""Hugging Face datasets of pairs: a local folder, read without the library, or a name on the hub, read with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from clonetruth.errors import InputError, MissingExtraError
from clonetruth.formats.huggingface import is_export, is_saved, read_shard, shards
from clonetruth.formats.tables import Row
from clonetruth.model import Card, Dataset, Judge, JudgeKind
from clonetruth.sources.columns import (
    MEANING_OPTIONS,
    NAMES,
    choose_columns,
    choose_meaning,
    refuse_unknown,
)
from clonetruth.sources.labelled_pairs import PARTS, LabelledPairs, PairLocation
from clonetruth.sources.source import ImportLog, SourceCard

CARD = Card(
    name="huggingface",
    version="1",
    description="A Hugging Face dataset of labelled pairs, imported by a mapping of its columns.",
    licence="as the dataset's own card says",
    citation="as the dataset's own card says",
    criterion="functionally-similar",
    languages=("any",),
    known_flaws=("What is known of it must be told at import: options name, licence, citation, criterion.",),
)


class HuggingFace:
    """The source as the registry knows it."""

    card = SourceCard(
        card=CARD,
        claimed_by=Judge("rule:huggingface", JudgeKind.RULE, "The dataset's labels", "As the label column says."),
        label_means="What the option criterion says; 'functionally-similar' unless told.",
        accepts=(
            "a folder that datasets.save_to_disk wrote, or a folder of Parquet files named by splits; or no path and "
            "the option hub=OWNER/NAME (with the library and a network; option config for one of several). Columns by "
            f"name: {', '.join(NAMES)}. Further options: {', '.join(MEANING_OPTIONS)}"
        ),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        folders = [path for path in paths if path.is_dir()]
        if any(is_saved(folder) for folder in folders):
            return "a folder that datasets.save_to_disk wrote"
        if any(is_export(folder) for folder in folders):
            return "Parquet files named by splits"
        return None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        refuse_unknown(options, (*NAMES, *MEANING_OPTIONS, "hub", "config"))
        hub = options.get("hub")
        if bool(hub) == bool(paths):
            raise InputError("Give either a folder or the option hub=OWNER/NAME.")
        rows = _hub(str(hub), options.get("config")) if hub else _local(paths)
        first = next(iter(rows()), None)
        if first is None:
            raise InputError("The dataset has no rows.", where=hub or paths[0])
        columns = choose_columns(options, first.row.values, first.path)
        meaning = choose_meaning(options, CARD)
        if columns.left_text is None:
            raise InputError(
                "The texts of the fragments are not there.",
                where=first.path,
                hint=f"Name their columns (left_text, right_text). Columns: {', '.join(first.row.values)}.",
            )
        if meaning.language is None and columns.left_language is None:
            raise InputError("The language is not known.", hint="Name it: --option language=java.")
        return LabelledPairs(rows, columns, meaning, log).dataset()


def _local(paths: Sequence[Path]) -> Callable[[], Iterable[PairLocation]]:
    for path in paths:
        if not path.is_dir():
            raise InputError("This is no folder.", where=path, hint="For a single file use the source `table`.")
    files = [shard for path in paths for shard in shards(path)]

    def rows() -> Iterator[PairLocation]:
        for shard in files:
            for row in read_shard(shard):
                yield PairLocation(shard.path, row, PARTS.get((shard.split or "").lower()))

    return rows


def _hub(name: str, config: object) -> Callable[[], Iterable[PairLocation]]:
    try:
        datasets: Any = import_module("datasets")
    except ImportError as error:
        raise MissingExtraError.extra("Reading from the Hugging Face hub", "huggingface") from error

    def rows() -> Iterator[PairLocation]:
        try:
            found = datasets.load_dataset(name, None if config is None else str(config), streaming=True)
            for split, entries in found.items():
                for number, values in enumerate(entries, 1):
                    yield PairLocation(Path(name, split), Row(number, values), PARTS.get(str(split).lower()))
        except (OSError, ValueError, RuntimeError, LookupError) as error:
            # The library has no common exception; these are what it raises for names, networks and formats.
            raise InputError(
                f"The hub gives no such dataset: {error}", where=name, hint="Download it, and import the folder."
            ) from error

    return rows


SOURCE = HuggingFace()

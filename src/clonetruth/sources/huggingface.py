"""Hugging Face datasets of pairs: local folders, read without the library, or names on the hub, read with it."""

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
    check_options,
    choose_columns,
    choose_meaning,
)
from clonetruth.sources.labelled_pairs import PARTS, LabelledPairs, PairLocation
from clonetruth.sources.source import ImportLog, SourceCard

CARD = Card(
    name="huggingface",
    version="1",
    description="A Hugging Face dataset of labelled pairs, imported by a mapping of its columns.",
    licence="as stated in the dataset's own card",
    citation="as stated in the dataset's own card",
    criterion="functionally-similar",
    languages=("any",),
    known_flaws=("Its card is not read: use the options name, licence, citation and criterion at import.",),
)


class HuggingFace:
    """The registered source."""

    card = SourceCard(
        card=CARD,
        claimed_by=Judge("rule:huggingface", JudgeKind.RULE, "The dataset's labels", "As the label column says."),
        label_means="As the option criterion says, which is required.",
        accepts=(
            "a folder that datasets.save_to_disk wrote, or a folder of Parquet files named after splits; or no path "
            "and the option hub=OWNER/NAME (needs the library and a network; the option config selects one of "
            f"several). Columns by name: {', '.join(NAMES)}. Further options: {', '.join(MEANING_OPTIONS)}"
        ),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        folders = [path for path in paths if path.is_dir()]
        if any(is_saved(folder) for folder in folders):
            return "a folder that datasets.save_to_disk wrote"
        if any(is_export(folder) for folder in folders):
            return "Parquet files named after splits"
        return None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, (*NAMES, *MEANING_OPTIONS, "hub", "config"))
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
                "The texts of the fragments are missing.",
                where=first.path,
                hint=f"Name their columns (left_text, right_text). Columns: {', '.join(first.row.values)}.",
            )
        if meaning.language is None and columns.left_language is None:
            raise InputError("The language is unknown.", hint="Set it: --option language=java.")
        return LabelledPairs(rows, columns, meaning, log).dataset()


def _local(paths: Sequence[Path]) -> Callable[[], Iterable[PairLocation]]:
    for path in paths:
        if not path.is_dir():
            raise InputError("The path is not a folder.", where=path, hint="For a single file, use the source `table`.")
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
            # The library has no common exception; it raises these for wrong names, network errors and unknown formats.
            raise InputError(
                f"Cannot load the dataset from the hub: {error}", where=name, hint="Download it and import the folder."
            ) from error

    return rows


SOURCE = HuggingFace()

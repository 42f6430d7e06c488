"""Names and specifications of a study's functionalities: supplied when it is drawn, and edited until the first vote.

All judges must read the same text, so that nothing can be changed after the first vote; `study.json` has its hash.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from clonetruth.budgets import read_text
from clonetruth.errors import InputError
from clonetruth.options.declaration import verb
from clonetruth.options.study import SpecificationsOptions
from clonetruth.parsing import parse_toml
from clonetruth.store.study import Study, replace_functionalities
from clonetruth.store.study_judgements import read_study_judgements
from clonetruth.store.votes import has_votes, open_vote_store
from clonetruth.studies.study_folder import open_study

_MOST_NAMED = 10
_ENDINGS = (".md", ".txt")


@dataclass(frozen=True)
class FunctionalityText:
    """What judges read of a functionality.

    Attributes:
        id: its id in the benchmark.
        name: its name.
        specification: what an implementation must do; None if nobody has written it.
        methods: the number of methods that are judged against it.
    """

    id: str
    name: str
    specification: str | None
    methods: int


@verb(SpecificationsOptions)
def edit_specifications(options: SpecificationsOptions) -> tuple[FunctionalityText, ...]:
    """Show the names and specifications of a study's functionalities, and replace them before the first vote.

    Returns:
        What judges read of each functionality.

    Raises:
        InputError: the file is not valid or names no functionality of the study, or somebody has voted already.

    Example:
        >>> study = clonetruth.sample_study("my-benchmark", output="specified-study", n=5)
        >>> clonetruth.edit_specifications(study)[0].specification is not None
        True
    """
    study = open_study(options.study)
    if options.file is not None:
        study = specify(study, read_specifications(options.file), str(options.file), options.votes)
    return functionality_texts(study)


def functionality_texts(study: Study) -> tuple[FunctionalityText, ...]:
    """What judges read of each functionality of a study."""
    judged = study.methods["functionality"].to_pylist()
    return tuple(
        FunctionalityText(row["id"], row["name"], row["specification"], judged.count(row["id"]))
        for row in study.functionalities.to_pylist()
    )


def specify(
    study: Study, texts: Mapping[str, tuple[str | None, str | None]], where: str, votes: str | None = None
) -> Study:
    """Replace names and specifications in a study folder.

    Args:
        study: the study.
        texts: the new name and specification of each functionality, None to keep one.
        where: where they come from, for messages.
        votes: the database of the votes (default: in the study folder).

    Raises:
        InputError: none of them belongs to the study, or somebody has voted already.
    """
    refuse_after_votes(study, votes)
    return replace_functionalities(study, described(study.functionalities, texts, where))


def refuse_after_votes(study: Study, votes: str | None = None) -> None:
    """Refuse to change what judges have read.

    Raises:
        InputError: somebody has voted already.
    """
    if has_judgements(study, votes):
        raise InputError(
            "The specifications cannot be changed after the first vote: all judges must read the same.",
            where=study.path,
            hint="Draw a new study with --specifications.",
        )


def described(functionalities: pa.Table, texts: Mapping[str, tuple[str | None, str | None]], where: object) -> pa.Table:
    """A table of functionalities with other names and specifications, found by id or by name.

    Raises:
        InputError: no functionality has one of the ids and names.
    """
    rows = functionalities.to_pylist()
    found = {row["id"]: texts[key] for row in rows for key in (row["name"], row["id"]) if key in texts}
    if texts and not found:
        known = ", ".join(row["id"] for row in rows[:_MOST_NAMED]) or "none"
        raise InputError(
            "None of the functionalities is in the study.", where=where, hint=f"Functionalities of the study: {known}."
        )
    changed = [
        {
            **row,
            "name": found.get(row["id"], (None, None))[0] or row["name"],
            "specification": found.get(row["id"], (None, None))[1] or row["specification"],
        }
        for row in rows
    ]
    return pa.Table.from_pylist(changed, schema=functionalities.schema)


def has_judgements(study: Study, votes: str | None = None) -> bool:
    """Whether anybody has judged an item of a study, a person or a language model."""
    if read_study_judgements(study.path)[1].num_rows:
        return True
    if not has_votes(study.path, votes):
        return False
    with open_vote_store(study.path, votes) as store:
        return bool(store.current_votes() or store.adjudications())


def require_specifications(study: Study, votes: str | None = None) -> None:
    """Refuse to ask about methods without saying what they should do.

    A study of an earlier version that has votes is continued as it began.

    Raises:
        InputError: the functionality of a method has no specification; the message names them.
    """
    missing = [one for one in functionality_texts(study) if one.methods and not (one.specification or "").strip()]
    if not missing or has_judgements(study, votes):
        return
    named = ", ".join(f"{one.id} ({one.name})" for one in missing[:_MOST_NAMED])
    more = f" and {len(missing) - _MOST_NAMED} more" if len(missing) > _MOST_NAMED else ""
    raise InputError(
        f"Judges cannot be asked about methods without a specification of their functionality. Missing: {named}{more}.",
        where=study.path,
        hint=f"Write them: clonetruth study specifications {study.path} --edit, or --from FILE.",
    )


def read_specifications(path: Path) -> dict[str, tuple[str | None, str | None]]:
    """The name and the specification of functionalities, from a TOML or CSV file, or a folder with a text for each.

    Raises:
        InputError: it cannot be read, or has another form.
    """
    try:
        if path.is_dir():
            return _from_folder(path)
        if path.suffix.lower() == ".csv":
            return _from_csv(path)
        return parse_specifications(read_text(path, "utf-8-sig"), path)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"The specifications cannot be read ({error}).", where=path) from error


def parse_specifications(text: str, where: object) -> dict[str, tuple[str | None, str | None]]:
    """The name and the specification of functionalities, from the text of a TOML file.

    Raises:
        InputError: it is not TOML, or has another form.
    """
    try:
        content = parse_toml(text)
    except ValueError as error:
        raise InputError(
            f"Not a valid TOML file: {error}", where=where, hint="Specifications are a TOML or CSV file, or a folder."
        ) from error
    found: dict[str, tuple[str | None, str | None]] = {}
    for key, value in content.items():
        entry = {"specification": value} if isinstance(value, str) else value
        unknown = set(entry) - {"name", "specification"} if isinstance(entry, dict) else {"it"}
        if unknown or not all(isinstance(one, str) for one in entry.values()):
            raise InputError(
                f"'{key}' needs the texts `name` and `specification`, and nothing else.",
                where=where,
                hint='For example: ["2"] and below it: name = "…", specification = "…".',
            )
        found[key] = _texts(entry.get("name"), entry.get("specification"))
    return found


def specifications_toml(texts: Iterable[FunctionalityText]) -> str:
    """Names and specifications as a TOML file, for an editor."""
    lines = ["# What judges read of each functionality. Lines that begin with # are ignored."]
    for one in texts:
        lines += ["", f"[{_quoted(one.id)}]", f"name = {_quoted(one.name)}"]
        lines.append(f"specification = {_quoted(one.specification or '')}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    plain = "".join(f"\\u{ord(one):04x}" if ord(one) < 32 or ord(one) == 127 else one for one in escaped)
    return f'"{plain}"'


def _from_csv(path: Path) -> dict[str, tuple[str | None, str | None]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        columns = reader.fieldnames or []
        if "functionality" not in columns or not {"name", "specification"} & set(columns):
            raise InputError(
                "The file needs the columns functionality, name and specification.",
                where=path,
                hint=f"Its columns: {', '.join(columns) or 'none'}.",
            )
        return {row["functionality"]: _texts(row.get("name"), row.get("specification")) for row in reader}


def _from_folder(path: Path) -> dict[str, tuple[str | None, str | None]]:
    files = sorted(file for file in path.iterdir() if file.suffix.lower() in _ENDINGS)
    if not files:
        raise InputError("The folder has no texts.", where=path, hint="Name them by functionality, such as 2.md.")
    found = {}
    for file in files:
        heading, _, rest = read_text(file, "utf-8-sig").strip().partition("\n")
        has_name = heading.startswith("# ")
        found[file.stem] = _texts(heading[2:] if has_name else None, rest if has_name else f"{heading}\n{rest}")
    return found


def _texts(name: str | None, specification: str | None) -> tuple[str | None, str | None]:
    return (name or "").strip() or None, (specification or "").strip() or None

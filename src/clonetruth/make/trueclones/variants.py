"""The stages that draw a fresh test set: variants of every implementation, near misses of the variants, executed."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from clonetruth.budgets import read_bytes
from clonetruth.code import language
from clonetruth.code.mutation import EditSites
from clonetruth.errors import InputError
from clonetruth.execution import Code, Harnesses
from clonetruth.execution.mutants import seeded_changes
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.make.making_folder import BENCHMARK
from clonetruth.make.report import make_lineage
from clonetruth.make.stage import Stage, StageEstimate, StageOutcome, StageWork
from clonetruth.make.trueclones.evidence import ExaminedFolder, examine_folder
from clonetruth.make.trueclones.fragment_runs import require_languages
from clonetruth.make.trueclones.rewrites import rewritten
from clonetruth.model import Recipe
from clonetruth.parsing import parse_json
from clonetruth.sources import trueclones
from clonetruth.sources.functionality_folders import FolderFile, FunctionalityFolder, read_folders
from clonetruth.store import Benchmark
from clonetruth.store.atomic import new_folder

SHIPPED = "@trueclones"
"""Stands for the functionalities that ship."""
_COUNTS, _COUNTED = "counts.json", ("given", "left out", "difficulty")
"""The file with the counts of a functionality that was executed, and what it counts."""


@dataclass(frozen=True)
class VariantsOptions:
    """The keys of the stage.

    Attributes:
        source: a folder of functionalities, or `@trueclones` for those that ship.
        functionalities: the ids of those to use (default: all).
        languages: the languages to use (default: all).
        seed: random seed.
        rewrites: fewest and most rewrites of an implementation, besides new names.
        candidates: changed copies of each variant that are tried as near misses.
    """

    source: str = SHIPPED
    functionalities: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    seed: int = 0
    rewrites: tuple[int, int] = (2, 5)
    candidates: int = 2


@dataclass(frozen=True)
class ExecutedOptions:
    """The keys of the stage.

    Attributes:
        generated: number of generated inputs of a functionality.
        seed: which ones.
        near_misses: near misses of each variant that are kept, the hardest first.
    """

    generated: int = 100
    seed: int = 0
    near_misses: int = 1


@dataclass(frozen=True)
class TrueClonesOptions:
    """The stage has no keys but the seed, which the benchmark records.

    Attributes:
        seed: the seed of the draw.
    """

    seed: int = 0


def _check_variants(options: VariantsOptions) -> None:
    fewest, most = options.rewrites
    if not 0 <= fewest <= most or options.candidates < 1:
        raise InputError("The stage 'variants' draws nothing: rewrites = [0, 0] or more, candidates = 1 or more.")


def _root(work: StageWork) -> Path:
    return trueclones.data_folder() if work.options.source == SHIPPED else work.path(work.options.source)


def _wanted(work: StageWork) -> Iterator[FunctionalityFolder]:
    options: VariantsOptions = work.options
    for folder in read_folders(_root(work), options.functionalities):
        kept = [one for one in folder.sources if not options.languages or one.language in options.languages]
        yield replace(folder, sources=tuple(kept))


def _estimate(work: StageWork) -> StageEstimate:
    folders = list(_wanted(work))
    count = sum(len(one.implementations()) for one in folders)
    return StageEstimate({"functionalities": len(folders), "variants": count})


def _run_variants(work: StageWork) -> StageOutcome:
    options: VariantsOptions = work.options
    done: Counter[str] = Counter()
    taken = given = near_misses = 0
    left_out: Counter[str] = Counter()
    for folder in _wanted(work):
        root = work.output / "variants" / folder.id
        root.mkdir(parents=True)
        entries: dict[str, dict[str, dict[str, str]]] = {}
        for source in folder.implementations():
            taken += 1
            rng = Random(f"{options.seed} {source.id}")
            text, names = rewritten(source.text, source.language, rng, rng.randint(*options.rewrites))
            if not names:
                left_out["nothing to rewrite"] += 1
                continue
            given += 1
            done.update(names)
            stem, ending = _new_name(source, options.seed)
            place = root / source.language
            (place / "near-miss").mkdir(parents=True, exist_ok=True)
            (place / f"{stem}{ending}").write_text(text, encoding="utf-8")
            for number, (changed, differs) in enumerate(_changed(text, source.language, rng, options.candidates), 1):
                near_misses += 1
                (place / "near-miss" / f"{stem}-{number}{ending}").write_text(changed, encoding="utf-8")
                entry = {"from": stem, "differs": differs}
                entries.setdefault(source.language, {})[f"{stem}-{number}"] = entry
        _write_description(folder, root, entries)
    return StageOutcome(
        taken={"implementations": taken},
        given={"variants": given, "near misses to try": near_misses},
        left_out=dict(left_out),
        details={"rewrites": dict(done.most_common())},
    )


def _new_name(source: FolderFile, seed: int) -> tuple[str, str]:
    stem, dot, ending = Path(source.path).name.rpartition(".")
    return f"{stem}-seed-{seed}", dot + ending


def _changed(text: str, name: str, rng: Random, count: int) -> Iterator[tuple[str, str]]:
    """Copies with one operator, constant or condition changed, at different lines as far as possible."""
    changes = list(seeded_changes(Code(text, name)))
    rng.shuffle(changes)
    first_of_line = {one.line: one for one in reversed(changes)}
    spread = list(first_of_line.values())
    chosen = 0
    for change in [*spread, *(one for one in changes if one not in spread)]:
        if chosen == count:
            break
        if EditSites.of(change.text, language(name)).sound:
            chosen += 1
            yield change.text, f"In line {change.line}, '{change.before}' became '{change.after or 'nothing'}'."


def _write_description(
    folder: FunctionalityFolder, root: Path, near_misses: dict[str, dict[str, dict[str, str]]]
) -> None:
    """The description of the original, with the near misses of the variants."""
    said = {
        "name": folder.name,
        "topic": folder.topic,
        "specification": folder.specification,
        "returns": folder.returns,
    }
    lines = [f"{key} = {_toml(value)}" for key, value in said.items()]
    for parameter in folder.parameters:
        lines += ["", "[[parameters]]", f"name = {_toml(parameter.name)}", f"type = {_toml(parameter.type)}"]
        lines.append(f"domain = {_toml(dict(parameter.domain))}")
    for name, entries in near_misses.items():
        for stem, entry in entries.items():
            lines += ["", f"[near-miss.{name}.{_toml(stem)}]"]
            lines += [f"{key} = {_toml(value)}" for key, value in entry.items()]
    (root / "functionality.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (root / "inputs.json").write_text(json.dumps(folder.inputs), encoding="utf-8")


def _toml(value: object) -> str:
    """A value as TOML on one line. JSON has the same numbers and lists, and the same texts as long as characters beyond
    the first plane stand for themselves, and DEL does not."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_toml(key)} = {_toml(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _run_executed(work: StageWork) -> StageOutcome:
    options: ExecutedOptions = work.options
    folders = list(read_folders(work.artefact("variants")))
    require_languages(sorted({name for one in folders for name in one.languages}))
    # A draw takes minutes: each functionality is kept as soon as it is executed, so that a killed maker goes on.
    parts = work.making / "parts" / f"{work.name}-{work.key[:8]}"
    parts.mkdir(parents=True, exist_ok=True)
    with Harnesses(Bubblewrap()) as harnesses:
        for folder in folders:
            work.progress("functionalities", 1, len(folders))
            if not (parts / folder.id).exists():
                examined = examine_folder(
                    folder,
                    harnesses,
                    others=folders,
                    generated=options.generated,
                    seed=options.seed,
                    leave_out=True,
                )
                with new_folder(parts / folder.id) as part:
                    _write_part(examined, options.near_misses, part)
    sums: dict[str, Counter[str]] = {name: Counter() for name in _COUNTED}
    (work.output / "functionalities").mkdir()
    for folder in folders:
        said = parse_json(read_bytes(parts / folder.id / _COUNTS))
        for name, counter in sums.items():
            counter.update(said[name])
        if (executed := parts / folder.id / folder.id).exists():
            shutil.copytree(executed, work.output / "functionalities" / folder.id)
    if not sums["given"]["functionalities"]:
        raise InputError("No functionality is left: no variant agrees with the others.")
    shutil.rmtree(parts.parent)
    return StageOutcome(
        taken={"fragments": sum(len(one.sources) for one in folders)},
        given=dict(sums["given"]),
        left_out=dict(sums["left out"]),
        details={"difficulty of the near misses": dict(sums["difficulty"])},
    )


def _write_part(examined: ExaminedFolder, near_misses: int, part: Path) -> None:
    """Write what is kept of a functionality, in a folder of its name, and the counts of what is and is not."""
    left_out = Counter(_kind(reason) for reason in examined.problems.values())
    given: Counter[str] = Counter()
    difficulty: Counter[str] = Counter()
    kept = _kept(examined, near_misses)
    if kept is None:
        left_out["functionality without a variant that agrees"] += 1
    else:
        assert kept.evidence is not None
        _write_executed(kept, part / kept.folder.id)
        given["functionalities"] = 1
        given["variants"] = len(kept.folder.implementations())
        given["near misses"] = len(kept.folder.near_misses())
        difficulty.update(kept.evidence.difficulty(one.id) for one in kept.folder.near_misses())
    counts = dict(zip(_COUNTED, (given, left_out, difficulty), strict=True))
    (part / _COUNTS).write_text(json.dumps(counts), encoding="utf-8")


def _kind(reason: str) -> str:
    """A reason without what is particular to the fragment."""
    for words in (
        "differs from the specification on none",
        "disagrees with the others",
        "not of the type",
        "not stable",
    ):
        if words in reason:
            return words
    return "does not run"


def _kept(examined: ExaminedFolder, per_variant: int) -> ExaminedFolder | None:
    """The variants that agree, and of each the near misses that differ most rarely."""
    folder, evidence = examined.folder, examined.evidence
    if evidence is None or len(folder.implementations()) < 2:
        return None
    wanted = {one.id for one in folder.implementations()}
    for source in folder.implementations():
        own = [one for one in folder.near_misses() if one.near_miss and one.near_miss.origin == source.id]
        own.sort(key=lambda one: (evidence.rate(one.id), one.id))
        wanted |= {one.id for one in own[:per_variant]}
    sources = tuple(one for one in folder.sources if one.id in wanted)
    fragments = {name: entry for name, entry in evidence.fragments.items() if name in wanted}
    return ExaminedFolder(replace(folder, sources=sources), replace(evidence, fragments=fragments))


def _write_executed(kept: ExaminedFolder, root: Path) -> None:
    folder = kept.folder
    assert kept.evidence is not None
    entries: dict[str, dict[str, dict[str, str]]] = {}
    for source in folder.sources:
        path = root.parent / source.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source.text, encoding="utf-8")
        if source.near_miss:
            entry = {"from": source.near_miss.origin.rpartition("/")[2], "differs": source.near_miss.differs}
            entries.setdefault(source.language, {})[Path(source.path).stem] = entry
    _write_description(folder, root, entries)
    (root / "evidence.json").write_text(kept.evidence.text, encoding="utf-8")


def _run_trueclones(work: StageWork) -> StageOutcome:
    folders = trueclones.read_executed(work.artefact("functionalities"))
    card = replace(
        trueclones.CARD,
        name=work.recipe.card.name,
        version=f"{trueclones.CARD.version}-seed-{work.options.seed}",
        description=f"{work.recipe.card.description} {trueclones.CARD.description}",
        known_flaws=(*work.recipe.card.known_flaws, *trueclones.CARD.known_flaws[:-1]),
    )
    recipe = Recipe("make", {"seed": work.options.seed, **make_lineage(work)})
    made = Benchmark.create(work.making / BENCHMARK, trueclones.dataset_of(folders, card, recipe))
    return StageOutcome(
        taken={"functionalities": len(folders)},
        given={name: made.counts[name] for name in ("fragments", "pairs")},
    )


VARIANTS_STAGE = Stage(
    name="variants",
    description="Rewrite implementations so that they do the same, and change copies so that they do not.",
    options=VariantsOptions,
    run=_run_variants,
    writes=("variants",),
    estimate=_estimate,
    check=_check_variants,
)
EXECUTED_STAGE = Stage(
    name="executed",
    description="Execute variants and near misses, and leave out those that do not do what they should.",
    options=ExecutedOptions,
    run=_run_executed,
    reads=("variants",),
    writes=("functionalities",),
)
TRUECLONES_STAGE = Stage(
    name="trueclones",
    description="Write the benchmark of executed functionalities, with matched pairs.",
    options=TrueClonesOptions,
    run=_run_trueclones,
    reads=("functionalities",),
    writes=(BENCHMARK,),
)

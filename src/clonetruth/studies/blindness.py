"""Whether judges are blind: a small adversary tries to tell claimed labels and checks from what the pages show.

It reads the pages that a judge will see, with the code replaced by the same text everywhere, the order of the items,
the sides, repeated fragments, and the size and layout of the code, but not what the code means. Where it does better
than chance, the report names the part that tells, and what can be done about it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from clonetruth.model import PairValue
from clonetruth.options.declaration import verb
from clonetruth.options.study import CheckBlindnessOptions
from clonetruth.stats.predictability import assign_folds, connected_groups, holm, measure_predictability
from clonetruth.stats.rates import Floats
from clonetruth.store.records import RecordFormat, write_text
from clonetruth.store.study import Study
from clonetruth.store.study_tables import CheckKind
from clonetruth.store.votes import ItemKey, ItemKind
from clonetruth.studies.rounds import draw
from clonetruth.studies.study_folder import open_study

if TYPE_CHECKING:
    from clonetruth.studies.web.page_facts import JudgeView

REPORT = "blindness.json"

_FEWEST_ITEMS, _FEWEST_OF_A_KIND = 20, 5
"""With fewer items, or fewer with and without a label, the adversary could not tell luck from a leak."""
_MOST_SUBJECTS = 200
_MOST_FACTS = 200
_COMPARED_REPEATS = 5
_SIGNIFICANT = 0.05

_LABEL, _CHECK = "label", "check"
_CODE_GROUPS = ("size of the code", "layout of the code", "language")
_OF_FRAGMENTS = ("repeated fragments", *_CODE_GROUPS)
"""Sources that say the same of items that share a fragment: only one of these is tested, or chance would repeat."""
_ADVICE = {
    "specification": "Hide it: set `show_functionality = false` in the protocol.",
    "tabs": "Every pair must have the same tabs; report this as a bug.",
    "repeated fragments": "Draw fewer pairs, or from a population in which a fragment is in fewer pairs.",
    "order": "Draw again with another seed.",
    "sides": "Draw again with another seed.",
    "repeats": "A pair that comes again must look as it did the first time; report this as a bug.",
    "size of the code": "Choose checks of the usual size, with --gold.",
    "layout of the code": "Choose checks of the same origin as the subjects, with --gold.",
    "language": "Choose checks in the languages of the subjects, with --gold.",
}
_OTHER_ADVICE = "The page shows something that differs: remove it, or show the same for every pair."


@dataclass(frozen=True)
class Leak:
    """Something that tells a claimed label, or which items are checks.

    Attributes:
        target: what it tells: `label` or `check`.
        source: the part of the page, or the property of the item, that tells it.
        auc: how well it tells it, from 0.5 (as a guess) to 1.
        p_value: the probability of that by chance, corrected for the number of tests.
        advice: what can be done.
    """

    target: str
    source: str
    auc: float
    p_value: float
    advice: str

    @property
    def sentence(self) -> str:
        """What leaks, in words."""
        told = "the claimed label" if self.target == _LABEL else "which items are checks"
        return f"'{self.source}' tells {told} (AUC {self.auc:.2f}, p = {self.p_value:.3f})."


@dataclass(frozen=True)
class BlindnessTarget:
    """What the adversary tried to tell.

    Attributes:
        name: `label` or `check`.
        items: the number of items that it read.
        positives: those of them that are labelled clone, or are checks.
        unknown: why nothing can be concluded; None if something can.
    """

    name: str
    items: int
    positives: int
    unknown: str | None


@dataclass(frozen=True)
class BlindnessReport:
    """Whether judges are blind, as far as the adversary can tell.

    Attributes:
        targets: what it tried to tell.
        tested: the sources of information that differ between items, and were tested.
        leaks: those that tell something.
        notes: properties of the code itself that tell the label: the judges must see the code.
        neutralised: what would have told something, so that the pages of this study do not show it.
    """

    targets: tuple[BlindnessTarget, ...]
    tested: tuple[str, ...]
    leaks: tuple[Leak, ...]
    notes: tuple[Leak, ...]
    neutralised: tuple[Leak, ...] = ()

    @property
    def problem(self) -> str | None:
        """Why judges are not blind, or why that is not known, in a sentence; None if they are blind."""
        if self.leaks:
            return " ".join(leak.sentence for leak in self.leaks)
        return next((f"That is unknown for {one.name}s. {one.unknown}" for one in self.targets if one.unknown), None)

    @property
    def is_blind(self) -> bool | None:
        """Whether nothing leaks; None if that cannot be known."""
        if self.leaks:
            return False
        return None if any(target.unknown for target in self.targets) else True


_FORMAT = RecordFormat(BlindnessReport, "clonetruth-blindness", 1, "blindness report", "`clonetruth study blindness`")


@verb(CheckBlindnessOptions)
def check_blindness(options: CheckBlindnessOptions) -> BlindnessReport:
    """Test whether the pages of a study tell judges the claimed labels, or which items are checks.

    Returns:
        What was tested, what leaks, and what can be done about it. It is also written to the study folder.

    Raises:
        InputError: the folder is not a study.

    Example:
        >>> study = clonetruth.sample_study("my-benchmark", output="blind-study", n=5)
        >>> clonetruth.check_blindness(study).leaks
        ()
    """
    study = open_study(options.study)
    report = find_leaks(study)
    write_report(report, study.path)
    return report


def write_report(report: BlindnessReport, study: Path) -> Path:
    """Write a report into a study folder, replacing an earlier one."""
    return write_text(_FORMAT.text(report), study / REPORT)


def read_report(study: Path) -> BlindnessReport | None:
    """The report in a study folder; None if the study was drawn without one.

    Raises:
        InputError: it is damaged.
    """
    return _FORMAT.read(study / REPORT) if (study / REPORT).exists() else None


def find_leaks(study: Study) -> BlindnessReport:
    """Let the adversary try to tell labels and checks from what judges see."""
    labels, checks = _labels(study), _checks(study)
    asked = {_LABEL: labels, _CHECK: checks}
    targets = {name: _target(name, truth, study) for name, truth in asked.items()}
    wanted = {
        name: truth for name, truth in asked.items() if targets[name].unknown is None and len(set(truth.values())) > 1
    }
    if not wanted:
        return BlindnessReport(tuple(targets.values()), (), (), ())
    try:
        from clonetruth.studies.web.page_facts import judge_views
    except ImportError:
        reason = "The pages cannot be made: install the extra `web`."
        blind = [BlindnessTarget(one.name, one.items, one.positives, reason) for one in targets.values()]
        return BlindnessReport(tuple(blind), (), (), ())
    items = list(dict.fromkeys(item for truth in wanted.values() for item in truth))
    pairs = [item for item in items if item.kind is ItemKind.PAIR][:_COMPARED_REPEATS]
    repeats = [ItemKey(ItemKind.REPEAT, item.number) for item in pairs if study.plan.protocol.repeats]
    views = judge_views(study, [*items, *repeats])
    facts, texts = _facts(views, items), {item: views[item].texts for item in items}
    leaks, notes, tested = try_sources(facts, texts, wanted, study.plan.seed)
    leaks += [
        Leak(_CHECK, "repeats", 1.0, 0.0, _ADVICE["repeats"])
        for repeat in repeats
        if views[repeat].facts != views[ItemKey(ItemKind.PAIR, repeat.number)].facts
    ][:1]
    return BlindnessReport(tuple(targets.values()), tuple(tested), tuple(leaks), tuple(notes))


def try_sources(
    facts: Mapping[str, Mapping[ItemKey, Mapping[str, float]]],
    texts: Mapping[ItemKey, Sequence[str]],
    wanted: Mapping[str, Mapping[ItemKey, bool]],
    seed: int,
) -> tuple[list[Leak], list[Leak], list[str]]:
    """Try to tell each target from each source.

    Args:
        facts: what each source says of each item.
        texts: the fragments of each item: items that share one are predicted together.
        wanted: the truth about each item, by target.
        seed: the random seed.

    Returns:
        The leaks, what the code itself tells about labels, and the sources that differ between items.
    """
    tests: list[tuple[str, str, float, float]] = []
    for target, truth in wanted.items():
        groups = dict(zip(truth, connected_groups([texts[item] for item in truth]).tolist(), strict=True))
        single = {groups[item]: item for item in sorted(truth, key=lambda item: draw(seed, "single", *item))}
        for source, rows in facts.items():
            items = sorted(single.values()) if source in _OF_FRAGMENTS else list(truth)
            matrix, known = _matrix([rows[item] for item in items]), np.array([truth[item] for item in items])
            if matrix.shape[1] and _too_few(len(items), int(known.sum())) is None:
                folds = assign_folds(np.array([groups[item] for item in items]), seed)
                found = measure_predictability(matrix, known, folds, seed)
                tests.append((target, source, found.auc, found.p_value))
    inherent = [test for test in tests if test[0] == _LABEL and test[1] in _CODE_GROUPS]
    leaks = _significant([test for test in tests if test not in inherent])
    return leaks, _significant(inherent), list(dict.fromkeys(source for _, source, _, _ in tests))


def _labels(study: Study) -> dict[ItemKey, bool]:
    """The subjects with a claimed label; a sample of them if there are many."""
    labels = study.subjects["label"].to_pylist()
    known = [number for number, label in enumerate(labels) if label is not None]
    drawn = sorted(known, key=lambda number: draw(study.plan.seed, "adversary", number))[:_MOST_SUBJECTS]
    return {ItemKey(ItemKind.PAIR, number): labels[number] == PairValue.CLONE for number in sorted(drawn)}


def _checks(study: Study) -> dict[ItemKey, bool]:
    """Subjects and attention checks, and which are checks."""
    drawn = sorted(range(study.subjects.num_rows), key=lambda number: draw(study.plan.seed, "adversary", number))
    subjects = {ItemKey(ItemKind.PAIR, number): False for number in sorted(drawn[:_MOST_SUBJECTS])}
    kinds = study.checks["kind"].to_pylist()
    checks = {ItemKey(ItemKind.CHECK, number): True for number, kind in enumerate(kinds) if kind == CheckKind.ATTENTION}
    return subjects | checks


def _target(name: str, truth: Mapping[ItemKey, bool], study: Study) -> BlindnessTarget:
    positives = sum(truth.values())
    unknown = None
    if any(study.subjects[f"{side}_text"].null_count for side in ("left", "right")):
        unknown = "The study has no texts, so it has no pages."
    elif 0 < positives < len(truth):
        unknown = _too_few(len(truth), positives)
    # Otherwise all labels are the same, or there are no checks: nothing can be told.
    return BlindnessTarget(name, len(truth), positives, unknown)


def _too_few(items: int, positives: int) -> str | None:
    """Why these items allow no conclusion; None if they do."""
    rarer = min(positives, items - positives)
    if items < _FEWEST_ITEMS:
        return f"Only {items} items: at least {_FEWEST_ITEMS} are needed."
    return (
        f"Only {rarer} items of one kind: at least {_FEWEST_OF_A_KIND} are needed."
        if rarer < _FEWEST_OF_A_KIND
        else None
    )


def _facts(
    views: Mapping[ItemKey, JudgeView], items: Sequence[ItemKey]
) -> dict[str, dict[ItemKey, Mapping[str, float]]]:
    """The facts about each item, by source."""
    seen = Counter(text for item in items for text in set(views[item].texts))
    parts = list(dict.fromkeys(part for item in items for part in views[item].facts))
    facts: dict[str, dict[ItemKey, Mapping[str, float]]] = {
        part: {item: views[item].facts.get(part, {}) for item in items} for part in parts
    }
    for item in items:
        view = views[item]
        others = [seen[text] - 1.0 for text in view.texts]
        code: dict[str, Mapping[str, float]] = {
            "order": {"place": view.place, f"tenth {int(view.place * 10)}": 1.0},
            "sides": {
                "lines": _lines(view.texts[0]) - _lines(view.texts[-1]),
                "longer": float(len(view.texts[0]) > len(view.texts[-1])),
            },
            "repeated fragments": {"both": sum(others), "more": max(others), "none": float(not any(others))},
            **dict(
                zip(_CODE_GROUPS, (_size(view.texts), _layout(view.texts), _languages(view.languages)), strict=True)
            ),
        }
        for source, found in code.items():
            facts.setdefault(source, {})[item] = {name: float(value) for name, value in found.items()}
    return facts


def _lines(text: str) -> float:
    return float(text.count("\n") + 1)


def _languages(languages: Sequence[str]) -> dict[str, float]:
    """Each language, and both together: datasets often pair languages by label."""
    return {**Counter(languages), " and ".join(sorted(languages)): 1.0}


def _size(texts: Sequence[str]) -> dict[str, float]:
    together = "\n".join(texts)
    lines, characters = [_lines(text) for text in texts], [len(text) + 1 for text in texts]
    return {
        "lines": np.log(_lines(together)),
        "characters": np.log(len(together) + 1),
        "longest line": np.log(max(map(len, together.split("\n"))) + 1),
        "difference in lines": np.log(max(lines) / min(lines)),
        "difference in characters": np.log(max(characters) / min(characters)),
    }


_LAYOUT = {
    "tabs": r"\t",
    "blank lines": r"\n\n",
    "indentation of 2": r"\n  \S",
    "indentation of 4": r"\n {4}\S",
    "brackets on a line of their own": r"\n *\{ *\n",
    "line comments": r"//|#",
    "block comments": r"/\*",
    "spaces inside brackets": r"\( ",
    "no space before brackets": r"\w\{",
    "not ASCII": r"[^\x00-\x7f]",
}


def _layout(texts: Sequence[str]) -> dict[str, float]:
    together = "\n".join(texts)
    counts = {name: len(re.findall(pattern, together)) for name, pattern in _LAYOUT.items()}
    return {name: count / _lines(together) for name, count in counts.items()} | {
        f"has {name}": float(count > 0) for name, count in counts.items()
    }


def _matrix(rows: Sequence[Mapping[str, float]]) -> Floats:
    """The facts that differ between items as columns, each once; one that holds for a single item is left out."""
    names = sorted({name for row in rows for name in row})
    values = np.array([[row.get(name, 0.0) for name in names] for row in rows]).reshape(len(rows), len(names))
    differs = np.array(
        [np.unique(column, return_counts=True)[1].max() < len(rows) - 1 for column in values.T], dtype=bool
    )
    columns = np.unique(values[:, differs], axis=1)
    spread = np.abs((columns != np.median(columns, axis=0)).mean(axis=0) - 0.5)
    return columns[:, np.argsort(spread, kind="stable")[:_MOST_FACTS]]


def _significant(tests: Sequence[tuple[str, str, float, float]]) -> list[Leak]:
    corrected = holm([p_value for _, _, _, p_value in tests])
    return [
        Leak(target, source, auc, p_value, _advice(target, source))
        for (target, source, auc, _), p_value in zip(tests, corrected, strict=True)
        if p_value <= _SIGNIFICANT
    ]


def _advice(target: str, source: str) -> str:
    if target == _LABEL and source in _CODE_GROUPS:
        return "Judges must see the code. Stratify by what it depends on, and report it."
    return _ADVICE.get(source, _OTHER_ADVICE)

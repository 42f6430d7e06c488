"""Two fragments compared by their texts: similarities, clone type, normal forms."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from clonetruth.code import CUT_RULES, Form, clone_type, fragment_forms, language, normal_form
from clonetruth.code.pieces import read_piece
from clonetruth.errors import InputError
from clonetruth.model import Fragment
from clonetruth.options.compare import CompareOptions
from clonetruth.options.declaration import verb
from clonetruth.store import Benchmark, open_benchmark

if TYPE_CHECKING:
    from clonetruth.execution import BehaviourComparison


@dataclass(frozen=True)
class ComparedFragment:
    """One side of a comparison.

    Attributes:
        title: its name: the file, the part of a file, or the fragment's id.
        language: its language's name.
        tokens: its number of tokens.
        pretty_lines: its number of lines after pretty-printing.
        parses: whether all of it parses.
        text: its text.
    """

    title: str
    language: str
    tokens: int
    pretty_lines: int
    parses: bool
    text: str


@dataclass(frozen=True, repr=False)
class FragmentComparison:
    """Two fragments compared by their texts.

    Attributes:
        similarity_line: similarity by lines, in [0, 1]; None for fragments in different languages.
        similarity_token: similarity by tokens, in [0, 1], or None.
        clone_type: the textual clone type; None for fragments in different languages, where the rule has no type for
            them.
        cut_rule: the rule that derives the type from the similarities.
        renaming: for T2, whether the renaming is `consistent` or only `blind`.
        left: the left fragment.
        right: the right fragment.
        behaviour: what running both showed; None if they were not run.
    """

    similarity_line: float | None
    similarity_token: float | None
    clone_type: str | None
    cut_rule: str
    renaming: str | None
    left: ComparedFragment
    right: ComparedFragment
    behaviour: BehaviourComparison | None = None

    @property
    def problem(self) -> str | None:
        """Why there is no clone type, if there is none."""
        return "different languages" if self.clone_type is None else None

    @property
    def facts(self) -> dict[str, str]:
        """Further facts for people, as names and values."""
        sides = (self.left, self.right)
        facts = {
            "tokens": " / ".join(str(side.tokens) for side in sides),
            "pretty-printed lines": " / ".join(str(side.pretty_lines) for side in sides),
        }
        if broken := [side.title for side in sides if not side.parses]:
            facts["does not parse completely"] = ", ".join(broken)
        if self.renaming:
            facts["renaming"] = self.renaming
        return facts

    def normal_forms(self) -> dict[str, tuple[str, str]]:
        """Return both texts in each normal form, from the mildest to the strongest."""
        sides = (self.left, self.right)
        forms = {form: [normal_form(side.text, language(side.language), form) for side in sides] for form in Form}
        return {str(form): (left, right) for form, (left, right) in forms.items()}

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON values, without the texts."""
        return {
            "similarity_line": self.similarity_line,
            "similarity_token": self.similarity_token,
            "clone_type": self.clone_type,
            "cut_rule": self.cut_rule,
            "renaming": self.renaming,
            "problem": self.problem,
            **{
                name: {
                    "title": side.title,
                    "language": side.language,
                    "tokens": side.tokens,
                    "pretty_lines": side.pretty_lines,
                    "parses": side.parses,
                }
                for name, side in (("left", self.left), ("right", self.right))
            },
            "behaviour": None if self.behaviour is None else self.behaviour.to_dict(),
        }

    def __repr__(self) -> str:
        names = f"{self.left.title} and {self.right.title}"
        if self.similarity_line is None:
            return f"<FragmentComparison of {names}: {self.clone_type or self.problem}>"
        return (
            f"<FragmentComparison of {names}: {self.clone_type}, line similarity {self.similarity_line:.3f}, "
            f"token similarity {self.similarity_token:.3f}>"
        )

    def _repr_html_(self) -> str:
        from clonetruth.html import Side, notebook

        facts = {"clone type": self.clone_type or self.problem or "", "cut rule": self.cut_rule}
        if self.similarity_line is not None:
            facts["line similarity"] = f"{self.similarity_line:.3f}"
            facts["token similarity"] = f"{self.similarity_token:.3f}"
        left, right = (Side(side.text, side.title, side.language) for side in (self.left, self.right))
        return notebook.view("Comparison", notebook.facts({**facts, **self.facts}), notebook.code_pair(left, right))


@verb(CompareOptions)
def compare_fragments(options: CompareOptions) -> FragmentComparison:
    """Compare two fragments by their texts: similarities and clone type.

    A fragment is a file, a part of a file (FILE:FIRST-LAST by line numbers), a function (FILE::NAME), the id of a
    fragment of the benchmark `in_`, or a `clonetruth.model.Fragment`.

    Raises:
        InputError: a file cannot be read, its language is unknown, or a fragment or line does not exist.
        UnknownNameError: the language or the cut rule is unknown.
        MissingExtraError: both should run, and the sandbox is not complete.

    Example:
        >>> comparison = clonetruth.compare_fragments("src/invoices.py", "src/orders.py")
        >>> comparison.clone_type, comparison.renaming
        ('T2', 'consistent')
    """
    rule = CUT_RULES[options.rule]
    benchmark = None if options.in_ is None else open_benchmark(options.in_)
    left, right = (_fragment(name, benchmark, options.language) for name in (options.left, options.right))
    forms = [fragment_forms(side.text, language(side.language)) for side in (left, right)]
    measured = clone_type(forms[0], forms[1], rule.name) if left.language == right.language else None
    compared = [
        ComparedFragment(side.id, side.language, len(form.tokens), len(form.lines), form.sound, side.text)
        for side, form in zip((left, right), forms, strict=True)
    ]
    return FragmentComparison(
        similarity_line=measured.similarity.line if measured else None,
        similarity_token=measured.similarity.token if measured else None,
        clone_type=measured.name if measured else rule.across_languages,
        cut_rule=rule.name,
        renaming=measured.renaming if measured else None,
        left=compared[0],
        right=compared[1],
        behaviour=_behaviour(options, left, right) if options.run else None,
    )


def _behaviour(options: CompareOptions, left: Fragment, right: Fragment) -> BehaviourComparison | None:
    """What running both shows; parts of files run with the rest of their files around them."""
    from clonetruth.execution import run_code

    given = (left, right) if options.in_ is not None else (options.left, options.right)
    found = run_code(*given, language=options.language, sandbox=options.sandbox, image=options.image)
    return found.pairs[0].comparison


def _fragment(
    name: str | os.PathLike[str] | Fragment, benchmark: Benchmark | None, language_name: str | None
) -> Fragment:
    """The fragment that a name denotes; its id is the title of a side."""
    if isinstance(name, Fragment):
        return Fragment(name.id, language(name.language).name, name.text)
    name = os.fspath(name)
    if benchmark is not None:
        return _benchmark_fragment(name, benchmark)
    piece = read_piece(name, language_name)
    return Fragment(name, piece.language, piece.text)


def _benchmark_fragment(name: str, benchmark: Benchmark) -> Fragment:
    rows = benchmark.sql(
        "SELECT f.language, f.text FROM fragments f JOIN wanted w ON f.id = w.id", wanted=pa.table({"id": [name]})
    )
    if not rows.num_rows:
        raise InputError(f"The benchmark has no fragment '{name}'.", where=benchmark.path)
    return Fragment(name, language(rows["language"][0].as_py()).name, rows["text"][0].as_py())

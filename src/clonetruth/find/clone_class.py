"""A clone class as plain data: its members, how they differ, and what one function in their place would need."""

from __future__ import annotations

from dataclasses import dataclass

CLONE_TYPES = ("T1", "T2", "T3")
"""From the strongest relation to the weakest: equal except for layout, equal except for names and values, similar."""


@dataclass(frozen=True)
class LastChange:
    """Who last changed some lines, and when, as git records it.

    Attributes:
        commit: the last commit that changed one of the lines; None if none of them is committed.
        author: its author's name, which is whatever the author wrote there.
        date: the day when it was authored, YYYY-MM-DD in UTC; None if that is not a date.
        authors: the number of authors whose lines are among them.
        uncommitted: the number of lines that are not committed yet.
    """

    commit: str | None
    author: str | None
    date: str | None
    authors: int
    uncommitted: int

    def __str__(self) -> str:
        parts = []
        if self.commit is not None:
            more = f" and {self.authors - 1} more" if self.authors > 1 else ""
            parts = [f"{self.author}{more}, {self.date or 'no valid date'}, {self.commit[:10]}"]
        if self.uncommitted:
            parts.append(f"{self.uncommitted} line{'s' * (self.uncommitted != 1)} not committed")
        return "; ".join(parts)


@dataclass(frozen=True)
class CloneMember:
    """A member of a clone class. Lines are 1-based and inclusive.

    Attributes:
        path: the name of its file.
        first_line: its first line.
        last_line: its last line.
        name: its qualified name; that of the function around it for a block, None if there is none.
        language: its language's name.
        tokens: its number of tokens, without comments.
        key: a digest of its Type-1 form: moving the code or changing its layout does not change it.
        text: its source text; empty if the report was made without texts.
        similarity: its token similarity with the representative, as BigCloneBench defines it (the longest common
            subsequence without names and values ÷ the longer one); None if that is in another language.
        differences: how it differs from the representative, for people; empty for the representative itself.
        strongest: T1, T2 or T3: the type of its strongest pair with another member.
        new: whether it is not in the baseline, or in lines that changed since a revision.
        last_change: who last changed it, and when, if asked for; None if git does not know the file.
        kind: `function`, `block`, `file`, or `location` if an external tool reports it and it is not a function.
    """

    path: str
    first_line: int
    last_line: int
    name: str | None
    language: str
    tokens: int
    key: str
    text: str
    similarity: float | None
    differences: str
    strongest: str
    new: bool = True
    last_change: LastChange | None = None
    kind: str = "function"

    @property
    def lines(self) -> int:
        """Its number of lines."""
        return self.last_line - self.first_line + 1

    @property
    def title(self) -> str:
        """Its name for people: that of the function, `in f` for a block of it; empty if it has none."""
        return f"in {self.name}" if self.name and self.kind == "block" else self.name or ""

    @property
    def location(self) -> str:
        """Its path and lines: `src/a.py:3-12`."""
        return f"{self.path}:{self.first_line}-{self.last_line}"


@dataclass(frozen=True)
class RelatedClone:
    """Code that is a clone of a member of a class, but not of its representative. Lines are 1-based and inclusive."""

    path: str
    first_line: int
    last_line: int
    name: str | None


@dataclass(frozen=True)
class HintParameter:
    """A parameter that one function in place of a clone class would need.

    Attributes:
        kind: `value`, `function` or `type`.
        type: the type of a literal value (`number`, `string`, `character`, `boolean`); None if it is not known.
        values: what each member has in its place, the representative first; long values are cut.
        uses: the number of its places in the representative.
    """

    kind: str
    type: str | None
    values: tuple[str, ...]
    uses: int

    def __str__(self) -> str:
        few = list(dict.fromkeys(self.values))
        shown = " / ".join(few[:_VALUES_SHOWN]) + (" / …" if len(few) > _VALUES_SHOWN else "")
        times = f", {self.uses} ×" if self.uses > 1 else ""
        return f"{shown} ({self.type or self.kind}{times})"


_VALUES_SHOWN = 3
_PARAMETERS_SHOWN = 6


@dataclass(frozen=True)
class RefactoringHint:
    """What one function in place of a clone class would need. No code is run and no type is inferred.

    Attributes:
        parameters: its parameters besides those that the members have; the aligned statements need them.
        differing: the number of statements that differ otherwise, over all members, with the same control flow.
        obstacles: why parameters are not enough, in words.
    """

    parameters: tuple[HintParameter, ...] = ()
    differing: int = 0
    obstacles: tuple[str, ...] = ()

    @property
    def enough(self) -> bool:
        """Whether the parameters express everything that differs."""
        return not self.obstacles and not self.differing

    def __str__(self) -> str:
        listed = "; ".join(map(str, self.parameters[:_PARAMETERS_SHOWN]))
        more = len(self.parameters) - _PARAMETERS_SHOWN
        listed += f"; and {more} more" if more > 0 else ""
        count = f"{len(self.parameters)} new parameter{'s' * (len(self.parameters) != 1)}"
        if self.enough:
            return f"one function with {count}: {listed}" if self.parameters else "one function, without new parameters"
        if self.obstacles:
            reason = f"no simple extraction: {'; '.join(self.obstacles)}"
        else:
            reason = "one function with a parameter for each differing statement, or with these left to the callers"
        if self.differing:
            others = "other " if self.obstacles else ""
            plural, singular = "s" * (self.differing != 1), "s" * (self.differing == 1)
            reason += f" ({self.differing} {others}statement{plural} differ{singular})"
        return f"{reason}; the rest needs {count}: {listed}" if self.parameters else reason


@dataclass(frozen=True, repr=False)
class CloneClass:
    """Code that is cloned: each member was found to be a clone of the representative, or is equal to one that was.

    Attributes:
        key: a digest of the members' blind forms: moving or renaming the code, or one more copy of a member, does not
            change it.
        strongest: T1, T2 or T3: the type of its strongest pair of members.
        weakest: the type of its weakest pair.
        similarity: the minimum similarity of a member to the representative; None if one is in another language.
        finders: the finders that found a pair of it.
        members: the representative first, then the others by path and line.
        related: code in other classes that is a clone of a member; of equal fragments, only one is listed.
        hint: what one function in its place would need, if asked for.
    """

    key: str
    strongest: str
    weakest: str
    similarity: float | None
    finders: tuple[str, ...]
    members: tuple[CloneMember, ...]
    related: tuple[RelatedClone, ...] = ()
    hint: RefactoringHint | None = None

    @property
    def representative(self) -> CloneMember:
        """The member that is most similar to all others."""
        return self.members[0]

    @property
    def kind(self) -> str:
        """What its representative is; see `CloneMember.kind`."""
        return self.representative.kind

    @property
    def types(self) -> str:
        """Its types for people: "T2", or from the strongest pair to the weakest, "T1–T3"."""
        return self.strongest if self.strongest == self.weakest else f"{self.strongest}–{self.weakest}"

    @property
    def strongest_new(self) -> str:
        """The type of the strongest pair with a new member, on which gates act."""
        return min(member.strongest for member in self.members if member.new)

    @property
    def waste(self) -> int:
        """The tokens that merging the class would save: the tokens of the representative × (members - 1)."""
        return self.representative.tokens * (len(self.members) - 1)

    @property
    def differences(self) -> str:
        """How the member that is least similar to the representative differs from it."""
        return min(self.members[1:], key=lambda member: member.similarity or 0.0).differences

    @property
    def kinds(self) -> str:
        """What its members are, for people: "blocks", "files"; empty for functions, which need no word."""
        return f"{self.kind}s" if self.kind in ("block", "file") else ""

    def __repr__(self) -> str:
        first = self.representative
        name = f" ({first.title})" if first.title else ""
        return f"<CloneClass {self.types}: {len(self.members)} copies of {first.location}{name}>"

    def _repr_html_(self) -> str:
        from clonetruth.html import Column, Side, notebook

        facts = {
            "type": self.types,
            "copies": len(self.members),
            "tokens to save": f"{self.waste:,}",
            "found by": ", ".join(self.finders),
        }
        columns = (
            Column("location", "code"),
            Column("name", "code"),
            Column("lines", "count"),
            Column("similarity", "decimal"),
            Column("compared with the first", "prose"),
        )
        rows = [(one.location, one.title, one.lines, one.similarity, one.differences) for one in self.members]
        left, right = (
            Side(one.text, one.name or one.path, one.language, one.location, one.first_line) for one in self.members[:2]
        )
        return notebook.view(
            "Clone class",
            notebook.facts(facts),
            notebook.table(columns, rows),
            notebook.code_pair(left, right),
            subtitle=self.representative.name or self.representative.location,
        )

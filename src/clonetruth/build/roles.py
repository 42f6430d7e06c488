"""The roles of BigCloneBench: exemplars (X), fragments tagged true (P) and fragments tagged false (N)."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.errors import InputError
from clonetruth.store import Benchmark

_ROLES = """
WITH tagged AS (
    SELECT fragment, functionality,
        max(CASE WHEN role = 'exemplar' THEN 1 ELSE 0 END) AS exemplar,
        max(CASE WHEN role = 'tagged-true' THEN 1 ELSE 0 END) AS confirmed,
        max(CASE WHEN role = 'tagged-false' THEN 1 ELSE 0 END) AS denied
    FROM memberships
    WHERE role <> 'undecided'
    GROUP BY fragment, functionality
)
SELECT fragment, functionality,
    CASE WHEN exemplar = 1 THEN 'exemplar' WHEN confirmed = 1 THEN 'tagged-true' ELSE 'tagged-false' END AS role,
    exemplar + confirmed > 0 AND denied = 1 AS contradictory
FROM tagged
ORDER BY functionality, fragment
"""


@dataclass(frozen=True)
class Roles:
    """The role of each fragment in each functionality.

    Attributes:
        table: `fragment`, `functionality`, `role`; each fragment occurs once per functionality. An exemplar that is
            also tagged is an exemplar; a fragment tagged both true and false counts as true.
        contradictory: the number of fragments tagged both true and false.
        warnings: shortcomings of the roles.
    """

    table: pa.Table
    contradictory: int
    warnings: tuple[str, ...]

    def count(self, role: str) -> int:
        """The number of memberships with a role."""
        return int(pc.sum(pc.equal(self.table["role"], role)).as_py() or 0)


def read_roles(benchmark: Benchmark) -> Roles:
    """Read the roles of a benchmark.

    Raises:
        InputError: it has no roles, or no exemplars.
    """
    table = benchmark.sql(_ROLES)
    if not table.num_rows:
        raise InputError(
            "No fragment has a role in a functionality.",
            where=benchmark.path,
            hint="The recipe needs exemplars and tagged fragments, as the source 'bigclonebench' provides them.",
        )
    contradictory = int(pc.sum(table["contradictory"]).as_py() or 0)
    roles = Roles(table.drop_columns(["contradictory"]), contradictory, ())
    if not roles.count("exemplar"):
        raise InputError(
            "No fragment is an exemplar of its functionality.",
            where=benchmark.path,
            hint=f"There are {roles.count('tagged-true'):,} fragments tagged true and {roles.count('tagged-false'):,} "
            "tagged false, but false pairs need exemplars.",
        )
    return Roles(roles.table, contradictory, tuple(_warnings(roles)))


_BOTH = """
SELECT count(*) AS pairs FROM (
    SELECT DISTINCT x.fragment AS one, n.fragment AS other
    FROM roles x
    JOIN roles n ON x.functionality = n.functionality AND x.role = 'exemplar' AND n.role = 'tagged-false'
    JOIN roles a ON x.fragment = a.fragment AND a.role <> 'tagged-false'
    JOIN roles b ON n.fragment = b.fragment AND a.functionality = b.functionality AND b.role <> 'tagged-false'
) twice
"""


def contradictions(benchmark: Benchmark, roles: Roles) -> list[str]:
    """A warning if two fragments are a false pair of one functionality but could be a true pair of another."""
    count = benchmark.sql(_BOTH, roles=roles.table)["pairs"][0].as_py()
    if not count:
        return []
    return [f"{count:,} false pairs of one functionality consist of fragments that share another functionality."]


def _warnings(roles: Roles) -> list[str]:
    table = roles.table
    everywhere = set(table["functionality"].to_pylist())
    warnings = []
    if len(everywhere) == 1:
        warnings.append("There is only one functionality: results do not generalise to others.")
    if not roles.count("tagged-false"):
        warnings.append("No fragment is tagged false: all pairs are clones.")
    with_exemplar = set(table.filter(pc.equal(table["role"], "exemplar"))["functionality"].to_pylist())
    if everywhere - with_exemplar:
        without = len(everywhere - with_exemplar)
        warnings.append(
            f"{without:,} of {len(everywhere):,} functionalities have no exemplar, and therefore no false pair."
        )
    if roles.contradictory:
        warnings.append(
            f"{roles.contradictory:,} fragments are tagged both true and false in one functionality; true counts."
        )
    return warnings

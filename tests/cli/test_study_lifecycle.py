"""The lifecycle of a study on the command line: pilot, quota, consent, extension, withdrawal."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.store.votes import ItemKey, ItemKind, Vote, open_vote_store
from tests.cli.running import run
from tests.studies.example_studies import labelled_benchmark


@pytest.mark.slow
def test_from_a_pilot_to_a_withdrawal(tmp_path: Path) -> None:
    benchmark = labelled_benchmark(tmp_path / "benchmark").path
    pilot, main, consent = (tmp_path / name for name in ("pilot", "main", "consent.md"))
    consent.write_text("We record answers.", encoding="utf-8")
    assert run("study", "sample", benchmark, "-o", pilot, "--n", 6).code == 0
    drawn = run(
        *("study", "sample", benchmark, "-o", main, "--n", 10, "--pilot", pilot),
        *("--max-per-judge", 4, "--consent", consent),
    )
    assert drawn.code == 0, drawn.err
    assert "6 pairs (left out)" in " ".join(drawn.out.split())
    assert (main / "consent.md").read_text(encoding="utf-8") == "We record answers.\n"
    assert run("study", "extend", main, benchmark, "--n", 5).code == 0
    plan = run("study", "info", main, "--json").json["plan"]
    assert (plan["max_per_judge"], plan["extensions"][0]["subjects"], plan["pilot"]["pairs"]) == (4, 10, 6)
    refused = run("study", "extend", main, benchmark, "--n", 500)
    assert (refused.code, "cannot be drawn from 54" in refused.err) == (3, True)

    invited = run("study", "invite", main, "Ada", "--json")
    judge = invited.json["judge"]["judge"]
    with open_vote_store(main) as store:
        asked = store.consent_to_ask(judge)
        assert asked is not None
        store.accept_consent(judge, asked.digest)
        store.cast(Vote("k", judge, ItemKey(ItemKind.PAIR, 12), "clone"))
    first = run("study", "export", main, "--to", benchmark, "--json").json
    assert (first["added"], first["removed"]) == (1, 0)
    withdrawn = run("study", "withdraw", main, "Ada")
    assert "Erased: the judge, 1 votes" in withdrawn.out
    assert "1 withdrew; 1 votes were erased." in run("study", "judges", main).out
    again = run("study", "withdraw", main, "Ada")
    assert again.code == 3
    assert "Nobody called 'Ada' is invited" in again.err
    second = run("study", "export", main, "--to", benchmark, "--json").json
    assert (second["added"], second["removed"]) == (0, 1)


def test_a_consent_text_that_cannot_be_used(tmp_path: Path) -> None:
    benchmark = labelled_benchmark(tmp_path / "benchmark").path
    empty = tmp_path / "empty.md"
    empty.write_text(" \n", encoding="utf-8")
    for file, words in ((empty, "The consent text is empty"), (tmp_path / "missing.md", "missing.md")):
        refused = run("study", "sample", benchmark, "-o", tmp_path / "study", "--n", 3, "--consent", file)
        assert refused.code != 0
        assert words in refused.err
        assert not (tmp_path / "study").exists()

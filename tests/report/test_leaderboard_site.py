"""The site of results: one strange card does not spoil the page for the others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clonetruth.model import Manifest
from clonetruth.report import leaderboard_site, write_leaderboard_site
from clonetruth.report.leaderboard_site import Standing
from clonetruth.store import hash_json
from clonetruth.store.results import BenchmarkIdentity, Measurement, PolicyUse, Result, ResultKind, result_text

HASH, OTHER = "a" * 64, "b" * 64


def card(name: str, *, version: str = "1", digest: str = HASH) -> str:
    configuration: dict[str, Any] = {"verb": "benchmark", "detector": name}
    return result_text(
        Result(
            ResultKind.PAIRS,
            name,
            BenchmarkIdentity("trueclones", version, digest),
            PolicyUse("default", "equivalent-behaviour", 2, 0),
            {},
            (Measurement("roc-auc", 0.5, 0.4, 0.6),),
            Manifest({"benchmark": digest}, configuration, hash_json(configuration), 0, {"clonetruth": "1"}, "2026"),
        )
    )


@pytest.fixture(autouse=True)
def _shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaderboard_site, "shipped_hash", lambda: HASH)


def test_hostile_names_are_shown_as_text_and_stay_in_the_folder(tmp_path: Path) -> None:
    names = ["<script>alert(1)</script>", '" onmouseover="alert(1)', "../../../etc/passwd", "..", "/tmp/x", "CON"]
    for number, name in enumerate(names):
        (tmp_path / f"{number}.json").write_text(card(name))
    made = write_leaderboard_site([tmp_path], tmp_path / "site")
    assert [one.result.detector for one in made.entries] == names
    page = (tmp_path / "site" / "index.html").read_text()
    assert "<script>alert" not in page
    assert '" onmouseover' not in page
    files = [one for one in (tmp_path / "site").rglob("*") if one.is_file()]
    assert len(files) == 1 + 2 * len(names)
    assert {one.parent.name for one in files} == {"site", "results", "badges"}


@pytest.mark.parametrize("name", ["", "  ", "x" * 5000, "a\x00b", "\u202egnp.exe", "two\nlines"])
def test_names_that_would_spoil_the_page_are_left_out(tmp_path: Path, name: str) -> None:
    (tmp_path / "strange.json").write_text(card(name))
    (tmp_path / "usual.json").write_text(card("usual"))
    made = write_leaderboard_site([tmp_path], tmp_path / "site")
    assert [one.result.detector for one in made.entries] == ["usual"]
    assert "name of its detector" in made.left_out[0][1]


def test_a_hash_is_one_section_whatever_its_cards_say_of_the_version(tmp_path: Path) -> None:
    for at, (version, digest) in enumerate([("9", HASH), ("1", HASH), ("1", HASH), ("1", OTHER), ("1", "<i>")]):
        (tmp_path / f"{at}.json").write_text(card(f"detector {at}", version=version, digest=digest))
    made = write_leaderboard_site([tmp_path], tmp_path / "site")
    assert len(made.entries) == 4
    assert made.left_out[0][1] == "the hash of its benchmark is not a SHA-256"
    page = (tmp_path / "site" / "index.html").read_text()
    assert (page.count(f'id="data-{HASH}"'), page.count(f'id="data-{OTHER}"')) == (1, 1)
    assert "trueclones 9" not in page
    assert f"trueclones 1 ({OTHER[:12]})" in page


@pytest.mark.parametrize("value", [10**400, -(10**400), "0.5", True])
def test_a_number_that_is_none_leaves_the_card_out(tmp_path: Path, value: object) -> None:
    content = json.loads(card("strange"))
    content["headline"][0]["value"] = value
    (tmp_path / "strange.json").write_text(json.dumps(content))
    (tmp_path / "usual.json").write_text(card("usual"))
    made = write_leaderboard_site([tmp_path], tmp_path / "site")
    assert [one.result.detector for one in made.entries] == ["usual"]
    assert "headline[0].value" in made.left_out[0][1]


STRANGE: dict[str, tuple[str, Any, str]] = {
    "a number of a group": (
        "strata",
        [{"by": "language", "groups": [("C", [("roc-auc", 9.5, None, None)])]}],
        "not a share",
    ),
    "a negative one": ("strata", [{"by": "view", "groups": [("random", [("f1", -0.1, None, None)])]}], "not a share"),
    "an interval beyond": (
        "strata",
        [{"by": "stratum", "groups": [("core", [("roc-auc", 0.5, -3.0, 7.0)])]}],
        "not a share",
    ),
    "a long name": ("strata", [{"by": "difficulty", "groups": [("x" * 5000, [])]}], "name of a difficulty"),
    "a name from right to left": ("strata", [{"by": "language", "groups": [("\u202egnp", [])]}], "name of a language"),
    "many groups": (
        "strata",
        [{"by": "language", "groups": [(f"l{n}", []) for n in range(900)]}],
        "more than 60 groups",
    ),
    "a version of clonetruth": ("version", "9" * 4000, "version of clonetruth"),
    "a name of the benchmark": ("name", "t" * 4000, "name of its benchmark"),
}


@pytest.mark.parametrize("what", STRANGE)
def test_whatever_the_page_would_show_is_checked(tmp_path: Path, what: str) -> None:
    field, value, reason = STRANGE[what]
    content = json.loads(card("strange"))
    if field == "strata":
        named = ("name", "value", "low", "high")
        content["strata"] = [
            {
                "by": one["by"],
                "groups": [
                    {"name": name, "measurements": [dict(zip(named, each, strict=True)) for each in measured]}
                    for name, measured in one["groups"]
                ],
            }
            for one in value
        ]
    elif field == "version":
        content["manifest"]["versions"]["clonetruth"] = value
    else:
        content["benchmark"]["name"] = value
    (tmp_path / "a-strange.json").write_text(json.dumps(content))
    (tmp_path / "usual.json").write_text(card("usual"))
    made = write_leaderboard_site([tmp_path], tmp_path / "site")
    assert [one.result.detector for one in made.entries] == ["usual"]
    assert reason in made.left_out[0][1]


def test_what_is_no_card_is_named_with_one_full_stop(tmp_path: Path) -> None:
    (tmp_path / "list.json").write_text("[]")
    (tmp_path / "usual.json").write_text(card("usual"))
    made = write_leaderboard_site([tmp_path], tmp_path / "site")
    assert made.left_out[0][1] == "Not a result"


def test_of_two_results_of_a_detector_the_one_that_was_recomputed_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def standing(result: Result) -> Standing:
        return Standing.RECOMPUTED if result["roc-auc"].value == 0.5 else Standing.DIFFERS

    monkeypatch.setattr(leaderboard_site, "_standing", standing)
    forged = json.loads(card("tokens"))
    forged["headline"][0] |= {"value": 0.99, "low": 0.98, "high": 1.0}
    (tmp_path / "a.json").write_text(json.dumps(forged))
    (tmp_path / "b.json").write_text(card("tokens"))
    made = write_leaderboard_site([tmp_path], tmp_path / "site", recompute=True)
    assert [(one.path.name, one.standing) for one in made.entries] == [("b.json", Standing.RECOMPUTED)]
    assert made.left_out == ((tmp_path / "a.json", "b.json is of 'tokens' on the same data, with other numbers"),)

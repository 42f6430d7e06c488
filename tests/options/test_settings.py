"""Settings: what a project, which may be a stranger's, can set; and the user's own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clonetruth.options
from clonetruth.detectors.registry import FINDERS
from clonetruth.errors import CloneTruthError, InputError
from clonetruth.options import Option, Options, read_settings
from clonetruth.options.find import OWN_FINDERS, FindOptions
from clonetruth.tools import EXTERNAL_TOOLS

HOSTILE = (
    *(
        "command:touch planted",
        "command[bigcloneeval,shell]:touch planted",
        "evil:run",
        "evil.module:run",
        "evil.run()",
    ),
    *("http://evil.example", "postgresql://evil.example/votes", "spark=spark://evil.example:7077"),
    *("file:///etc/passwd", "\\\\evil.example\\share", "/etc/passwd", "../outside", "~/outside", "models/evil"),
    *("--output=planted", "-o", "$(touch planted)", "`touch planted`", "a;touch planted", "a|b", "tokens:a=b,jscpd"),
    *("x' OR 1=1", "read_text('/etc/passwd')", "", " "),
)
"""Texts that name a program, code, an address, or a place outside a project."""

HARMLESS_TEXTS = {
    # They only say which files are left out, or are given to git as a revision.
    "find": {"exclude", "since"},
    "mcp": {"exclude"},
    "trend": {"exclude", "since"},
}
"""The options to which a project may give almost any text, because a text cannot do harm there."""


def verbs() -> Iterator[type[Options]]:
    for module in iter_modules(clonetruth.options.__path__):
        import_module(f"clonetruth.options.{module.name}")
    waiting = [Options]
    while waiting:
        found = waiting.pop()
        waiting += found.__subclasses__()
        if found.command and found.__module__.startswith("clonetruth."):
            yield found


VERBS = sorted(set(verbs()), key=lambda one: one.command)
SETTINGS = [(verb, one) for verb in VERBS for one in verb.declared() if one.declaration.setting]
TEXTS = [(verb, one) for verb, one in SETTINGS if one.kind in (str, dict) and not one.declaration.choices]


def named(given: object) -> str | None:
    return given.word if isinstance(given, Option) else str(getattr(given, "command", None))


def project(folder: Path, verb: type[Options], one: Option, value: str) -> Path:
    """A repository whose settings give an option a value (as TOML)."""
    (folder / ".git").mkdir(parents=True, exist_ok=True)
    setting = f"{{ key = {value} }}" if one.kind is dict else f"[{value}]" if one.many else value
    (folder / "clonetruth.toml").write_text(f"[{verb.command.replace(' ', '.')}]\n{one.word} = {setting}\n")
    return folder


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@pytest.mark.parametrize(("verb", "one"), TEXTS, ids=named)
def test_no_text_of_a_project_names_a_program_code_or_an_address(
    verb: type[Options], one: Option, tmp_path: Path
) -> None:
    """Every text option of every verb, so that the next one is found, too."""
    if one.word in HARMLESS_TEXTS.get(verb.command, ()):
        return
    for text in HOSTILE:
        project(tmp_path, verb, one, quoted(text))
        with pytest.raises(InputError) as raised:
            read_settings(verb, tmp_path)
        said = str(raised.value)
        assert str(tmp_path / "clonetruth.toml") in said
        assert f"'{one.word}'" in said
        assert "--trust" in said
        assert "config.toml" in said
    assert read_settings(verb, tmp_path, trust=False).values == {}, "ignored on request"
    assert one.name in read_settings(verb, tmp_path, trust=True).values


def test_an_option_that_takes_a_place_or_a_program_is_closed_to_projects() -> None:
    """A text that may also be a file, an address or a command looks like any name: only its help tells."""
    place = re.compile(
        r"\b(a (benchmark )?(file|folder|path)|toml|url|address|server|database|command|program|sql)\b", re.I
    )
    for verb, one in TEXTS:
        if one.word == "engine":
            assert one.declaration.project == "duckdb", "Spark is another program, perhaps on another machine"
        elif place.search(f"{one.declaration.metavar} {one.declaration.help}"):
            assert one.declaration.project is True, f"{verb.command} {one.word}: a text is refused by default"


@pytest.mark.parametrize(("verb", "one"), [(verb, one) for verb, one in SETTINGS if one.kind is Path], ids=named)
def test_paths_of_a_project_stay_inside_it(verb: type[Options], one: Option, tmp_path: Path) -> None:
    root = tmp_path / "project"
    (root / "inner").mkdir(parents=True)
    (root / "link").symlink_to(tmp_path)
    (root / "loop").symlink_to(root / "loop")
    for text in ("/etc/passwd", "../outside", "inner/../../outside", "link/outside", "~nobody/../../..", "a\\u0000b"):
        project(root, verb, one, f'"{text}"')
        if "~" in text:
            continue
        with pytest.raises(InputError, match="--trust"):
            read_settings(verb, root)
    if one.declaration.project:
        project(root, verb, one, '"inner/data"')
        found = read_settings(verb, root).values[one.name]
        assert found == ([str(root / "inner/data")] if one.many else str(root / "inner/data"))


def test_money_people_and_rights_are_not_a_projects_to_decide() -> None:
    closed = {(verb.command, one.word) for verb, one in SETTINGS if one.declaration.project is False}
    assert closed >= {
        *(("study llm", word) for word in ("budget", "prices", "runs", "tries")),
        *(("study invite", word) for word in ("role", "days", "renew")),
        ("study export", "names"),
        ("classify", "replace"),
    }


def test_flags_that_lower_a_guard_are_closed_to_projects() -> None:
    """A flag names nothing, but it may switch off a sandbox or replace results; only its help tells."""
    lowering = re.compile(
        r"\b(sandbox|isolat\w+|unsafe|untrusted|replace existing|overwrite|erase|delete|names of people)\b", re.I
    )
    for verb, one in SETTINGS:
        if one.kind is bool and lowering.search(f"{one.word} {one.declaration.help}"):
            assert one.declaration.project is False, f"{verb.command} {one.word}"


def test_results_never_go_where_a_settings_file_says() -> None:
    for verb in VERBS:
        for one in verb.declared():
            if one.word in ("output", "to", "html"):
                assert not one.declaration.setting, f"{verb.command} {one.word}"


def test_a_project_names_our_own_finders_and_nothing_else(tmp_path: Path) -> None:
    (one,) = (one for one in FindOptions.declared() if one.word == "with")
    assert set(OWN_FINDERS) == set(FINDERS)
    for text in (*OWN_FINDERS, "exact,renamed", "nearmiss:renaming=none,tokens", "nearmiss: renaming = none, tokens"):
        project(tmp_path, FindOptions, one, quoted(text))
        assert read_settings(FindOptions, tmp_path).values == {"with_": [text]}
    for tool in (*EXTERNAL_TOOLS, "my-plugin"):
        for text in (
            tool,
            f"tokens,{tool}",
            f"tokens:a=b,{tool}",
            f" {tool}",
            f"{tool}:renaming=blind",
            f"tokens:{tool}",
        ):
            project(tmp_path, FindOptions, one, quoted(text))
            with pytest.raises(InputError, match="A project may not set 'with'"):
                read_settings(FindOptions, tmp_path)


TOML = st.recursive(
    st.one_of(
        st.booleans().map(lambda value: str(value).lower()),
        st.integers(-(2**63), 2**63 - 1).map(str),
        st.sampled_from(["nan", "inf", "1.5", "1979-05-27", "''", "'x'", "'1'", "'true'"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.lists(inner, max_size=2).map(lambda items: f"{{ {', '.join(f'k{n} = {i}' for n, i in enumerate(items))} }}"),
    ),
    max_leaves=4,
)


@given(st.sampled_from(SETTINGS), TOML)
def test_any_value_is_taken_or_refused_in_words(
    tmp_path_factory: pytest.TempPathFactory, setting: tuple[type[Options], Option], value: str
) -> None:
    verb, one = setting
    folder = tmp_path_factory.mktemp("project")
    (folder / "clonetruth.toml").write_text(f"[{verb.command.replace(' ', '.')}]\n{one.word} = {value}\n")
    said, found = "", None
    try:
        found = read_settings(verb, folder)
    except CloneTruthError as error:
        said = str(error)
    assert one.word in said if found is None else set(found.values) == {one.name}


# --- where settings are searched


def settings_in(folder: Path, **values: Any) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    lines = "".join(f"{name.replace('_', '-')} = {value}\n" for name, value in values.items())
    (folder / "clonetruth.toml").write_text(f"[find]\n{lines}")


def test_the_search_ends_at_the_root_of_the_repository(tmp_path: Path) -> None:
    settings_in(tmp_path, min_tokens=9)
    inner = tmp_path / "repository" / "src"
    inner.mkdir(parents=True)
    assert read_settings(FindOptions, inner).values == {}, "without a repository, only the folder itself counts"
    assert read_settings(FindOptions, tmp_path).values == {"min_tokens": 9}
    (tmp_path / "repository" / ".git").write_text("gitdir: elsewhere\n")
    assert read_settings(FindOptions, inner).values == {}
    settings_in(tmp_path / "repository", min_tokens=3)
    assert read_settings(FindOptions, inner).values == {"min_tokens": 3}


def test_the_users_own_settings_are_trusted_and_the_project_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    own = tmp_path / "config" / "clonetruth"
    own.mkdir(parents=True)
    (own / "config.toml").write_text('[find]\nwith = "command:mytool {source}"\nmin-tokens = 7\nbaseline = "../b"\n')
    settings_in(tmp_path / "project", min_tokens=3)
    found = read_settings(FindOptions, tmp_path / "project")
    assert found.values == {"with_": ["command:mytool {source}"], "min_tokens": 3, "baseline": str(own / "../b")}
    assert found.files["with_"] == own / "config.toml"
    assert found.files["min_tokens"] == tmp_path / "project" / "clonetruth.toml"
    (own / "config.toml").write_text("[find]\nmin-token = 7\n")
    with pytest.raises(InputError, match="no setting 'min-token'") as raised:
        read_settings(FindOptions, tmp_path / "project")
    assert str(own / "config.toml") in str(raised.value)


def test_a_configuration_folder_inside_a_project_is_not_the_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config" / "clonetruth").mkdir(parents=True)
    (tmp_path / "config" / "clonetruth" / "config.toml").write_text('[find]\nwith = "command:evil"\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", "config")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    assert read_settings(FindOptions, tmp_path).values == {}

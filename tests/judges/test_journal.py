"""What was paid for is kept, whatever happens to the process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clonetruth.errors import InputError
from clonetruth.judges.journal import AnswerKey, JournalContent, journal_path, open_journal, read_journal
from clonetruth.judges.majority import Answer
from clonetruth.judges.protocol import Order

WHO = {"model": "tiny", "prompt": "Alike?"}
ANSWERS = [
    Answer(Order.GIVEN, 1, "ANSWER: SIMILAR\r\n\u2028 ü", "tiny-1", "stop", 10, 5, time="2026-01-01T00:00:00+00:00"),
    Answer(Order.SWAPPED, 2, "", estimated=True),
]


def filled(study: Path) -> Path:
    with open_journal(study, WHO) as journal:
        for number, answer in enumerate(ANSWERS):
            journal.add(f"q{number}", answer)
    return journal_path(study, WHO)


def test_what_is_added_is_read(tmp_path: Path) -> None:
    assert read_journal(tmp_path, WHO) == JournalContent()
    filled(tmp_path)
    expected = {AnswerKey("q0", Order.GIVEN, 1): ANSWERS[0], AnswerKey("q1", Order.SWAPPED, 2): ANSWERS[1]}
    assert read_journal(tmp_path, WHO).answers == expected
    with open_journal(tmp_path, WHO) as journal:
        assert journal.answers == expected


def test_another_wording_has_a_journal_of_its_own(tmp_path: Path) -> None:
    filled(tmp_path)
    assert read_journal(tmp_path, WHO | {"prompt": "Alike ?"}).answers == {}


def test_cut_anywhere_the_whole_lines_remain_and_writing_goes_on(tmp_path: Path) -> None:
    path = filled(tmp_path)
    content = path.read_bytes()
    for length in range(len(content)):
        path.write_bytes(content[:length])
        whole = max(content[:length].count(b"\n") - 1, 0)
        assert list(read_journal(tmp_path, WHO).answers.values()) == ANSWERS[:whole]
        with open_journal(tmp_path, WHO) as journal:
            journal.add("q9", ANSWERS[0])
        assert list(read_journal(tmp_path, WHO).answers.values()) == [*ANSWERS[:whole], ANSWERS[0]]


def test_two_processes_cannot_pay_for_the_same(tmp_path: Path) -> None:
    with open_journal(tmp_path, WHO), pytest.raises(InputError, match="Another process"), open_journal(tmp_path, WHO):
        pass


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (2, "{}"),
        (2, "nonsense"),
        (2, "[]"),
        (2, '{"question": "q", "order": "sideways", "run": 1, "text": ""}'),
        (1, "{}"),
    ],
)
def test_a_damaged_line_is_named(line: int, text: str, tmp_path: Path) -> None:
    path = filled(tmp_path)
    lines = path.read_text(encoding="utf-8").split("\n")
    lines[line - 1] = text
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(InputError, match=f"line {line}"):
        read_journal(tmp_path, WHO)


@pytest.mark.parametrize(
    ("change", "message"),
    [({"respondent": {"model": "other"}}, "another model"), ({"schema_version": 3}, "A newer clonetruth")],
)
def test_a_foreign_journal_is_refused(change: dict[str, object], message: str, tmp_path: Path) -> None:
    path = filled(tmp_path)
    header, rest = path.read_text(encoding="utf-8").split("\n", 1)
    path.write_text(json.dumps(json.loads(header) | change) + "\n" + rest, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_journal(tmp_path, WHO)


def test_a_full_disk_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int, content: bytes) -> int:
        raise OSError(28, "No space left on device")

    with open_journal(tmp_path, WHO) as journal:
        monkeypatch.setattr("os.write", full)
        with pytest.raises(InputError, match="No space left"):
            journal.add("q", ANSWERS[0])
        assert not journal.answers


def test_a_folder_that_cannot_be_written_to_is_reported(tmp_path: Path) -> None:
    (tmp_path / "llm").write_text("no folder")
    with pytest.raises(InputError, match="cannot be stored"), open_journal(tmp_path, WHO):
        pass

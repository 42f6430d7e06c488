"""Detectors that are programs: the protocol, and programs that break it."""

from __future__ import annotations

import gc
import os
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import clonetruth
from clonetruth.detectors.command import CommandDetector, _Program, read_command_detector
from clonetruth.detectors.detector import FRAGMENTS, PAIRS
from clonetruth.errors import InputError, PluginError

TEXTS = ("int a;", "int b;", "", "while (true) {}")
SCORER = """
    import json, sys
    texts = {}
    for line in sys.stdin:
        said = json.loads(line)
        if "text" in said:
            texts[said["fragment"]] = said["text"]
        elif "pair" in said:
            left, right = texts[said["left"]], texts[said["right"]]
            score = None if not (left and right) else min(len(left), len(right)) / max(len(left), len(right))
            print(json.dumps({"pair": said["pair"], "score": score}), flush=True)
"""
IN_BATCHES = """
    import json, sys
    pairs = []
    for line in sys.stdin:
        said = json.loads(line)
        if "pair" in said:
            pairs.append(said["pair"])
        elif "end" in said:
            print("\\n".join(json.dumps({"pair": one, "score": one}) for one in reversed(pairs)), flush=True)
            pairs.clear()
"""
EMBEDDER = """
    import json, sys
    for line in sys.stdin:
        said = json.loads(line)
        if "text" in said:
            text = said["text"]
            vector = [text.count("i"), text.count("a"), text.count("b")] if text else None
            print(json.dumps({"fragment": said["fragment"], "vector": vector}), flush=True)
"""

Make = Callable[..., CommandDetector]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def made(program: str, **said: object) -> CommandDetector:
        folder = tmp_path / "own"
        folder.mkdir(exist_ok=True)
        (folder / "score.py").write_text(textwrap.dedent(program))
        values = {"protocol": 1, "command": [sys.executable, "score.py"], **said}
        shown = {key: str(value).lower() if isinstance(value, bool) else repr(value) for key, value in values.items()}
        (folder / "detector.toml").write_text("".join(f"{key} = {value}\n" for key, value in shown.items()))
        return read_command_detector(folder)

    return made


def tables(pairs: list[tuple[int, int]]) -> tuple[pa.Table, pa.Table]:
    keys = [10 * number for number in range(len(TEXTS))]
    fragments = pa.table([keys, ["java"] * len(TEXTS), list(TEXTS)], schema=FRAGMENTS)
    sides = [[keys[pair[side]] for pair in pairs] for side in (0, 1)]
    return fragments, pa.table([list(range(len(pairs))), *sides], schema=PAIRS)


def scores(detector: CommandDetector, pairs: list[tuple[int, int]]) -> list[float | None]:
    found: list[float | None] = detector.score(*tables(pairs)).to_pylist()
    return found


def test_a_program_scores_pairs_and_says_which_it_cannot(make: Make) -> None:
    detector = make(SCORER, name="lengths", threshold=0.8)
    assert (detector.name, detector.default_threshold) == ("lengths", 0.8)
    assert scores(detector, [(0, 1), (0, 2), (0, 3)]) == [1.0, None, 6 / 15]
    assert scores(detector, [(3, 0)]) == [6 / 15], "the program answers further questions"
    assert scores(detector, []) == []


def test_answers_come_in_any_order_and_all_at_once(make: Make) -> None:
    assert scores(make(IN_BATCHES), [(0, 1), (1, 2), (2, 3)]) == [0.0, 1.0, 2.0]


def test_many_pairs_do_not_fill_the_pipes(make: Make) -> None:
    pairs = [(0, 1), (0, 3)] * 20_000
    assert scores(make(SCORER), pairs) == [1.0, 6 / 15] * 20_000


def test_vectors_are_compared_by_their_cosine(make: Make) -> None:
    detector = make(EMBEDDER, answers="vectors")
    found = scores(detector, [(0, 0), (0, 1), (0, 2)])
    assert found[0] == pytest.approx(1.0)
    assert found[1] == pytest.approx(0.5)
    assert found[2] is None
    vectors = detector.embed(tables([])[0])
    assert vectors.shape == (4, 3)
    assert np.isnan(vectors[2]).all()


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("print('loading model ...', flush=True); import time; time.sleep(60)", "'loading model ...'"),
        ("raise SystemExit(3)", "ended with exit code 3, 2 of 2 answers before the end"),
        ("import sys; print('no weights', file=sys.stderr); raise SystemExit(1)", "no weights"),
        ("import time; time.sleep(60)", "silent for 0.5 seconds; 2 of 2 answers are missing"),
        ("print('ready', flush=True); import time; time.sleep(60)", "answered 'ready': it is not JSON"),
        ("raise SystemExit", "ended with exit code 0, 2 of 2 answers before the end"),
        ("print('[1, 2]', flush=True); import time; time.sleep(60)", "not a JSON object"),
        ('print(\'{"pair": 7, "score": 1}\', flush=True); import time; time.sleep(60)', "not the number of a pair"),
        ('print(\'{"pair": 0, "score": NaN}\', flush=True); import time; time.sleep(60)', "not a finite number"),
        ('print(\'{"pair": 0, "score": 1%s}\' % ("0" * 400), flush=True)', "not a finite number"),
        ('print(\'{"pair": 0, "score": "1"}\', flush=True); import time; time.sleep(60)', "not a finite number"),
        ('print(\'{"pair": 0, "score": 1}\\n\' * 2, flush=True); import time; time.sleep(60)', "answered twice"),
        ("print('{\"score\": 1}', flush=True); import time; time.sleep(60)", "not the number of a pair"),
        (
            'print(\'{"pair": 0, "score": 1\' + "0" * 400 + "}", flush=True); import time; time.sleep(60)',
            "not a finite number",
        ),
        ("print(end='rubbish', flush=True); import time; time.sleep(60)", "wrote no complete line for 0.5 seconds"),
        ('print(\'{"pair": 0, "similarity": 1}\', flush=True); import time; time.sleep(60)', "it has no 'score'"),
    ],
)
def test_a_program_that_breaks_the_protocol_is_named(make: Make, program: str, message: str) -> None:
    # It answers what it was asked: an answer before the first question is another error.
    detector = make("input(); " + program, seconds=0.5 if "0.5 seconds" in message else 30)
    with pytest.raises(PluginError, match="The detector's program") as error:
        scores(detector, [(0, 1), (0, 3)])
    assert message in str(error.value)


def test_a_program_that_ends_is_noticed_though_its_child_keeps_the_output_open(make: Make) -> None:
    program = "import subprocess; input(); subprocess.Popen(['sleep', '60']); raise SystemExit(3)"
    with pytest.raises(PluginError, match="ended with exit code 3, 1 of 1 answers before the end"):
        scores(make(program, seconds=50), [(0, 1)])


@pytest.mark.parametrize("program", ["import sys; sys.stdin.read(); print('{}')", "input(); raise SystemExit"])
def test_a_program_that_takes_one_question_only_is_told_how_to_go_on(make: Make, program: str) -> None:
    with pytest.raises(PluginError) as error:
        scores(make(program, seconds=0.5), [(0, 1)])
    assert "standard input stays open" in str(error.value)


def test_what_follows_the_answers_is_no_answer_to_the_next_question(make: Make) -> None:
    again = 'print("\\n".join([*(json.dumps({"pair": one, "score": 0.5}) for one in pairs), "done"]), flush=True)'
    program = IN_BATCHES.replace(IN_BATCHES.split("in said:\n")[2].splitlines()[0].strip(), again)
    # It comes behind the answers, or, if the program is slow, before those of the next question.
    with pytest.raises(PluginError, match=r"answered 'done'|wrote 'done' after it had answered everything"):
        scores(make(program), [(0, 1), (0, 3)])


def test_what_is_written_before_any_question_is_said_so(make: Make) -> None:
    detector = make("import time; print('ready', flush=True); time.sleep(60)")
    program = _Program(detector.command, detector.folder, 30)

    def check_until_it_speaks() -> None:
        while True:
            program._check_silence()

    try:
        with pytest.raises(PluginError, match="wrote 'ready' before it was asked anything"):
            check_until_it_speaks()
    finally:
        program.stop()


def test_a_late_answer_of_an_earlier_question_is_refused(make: Make) -> None:
    program = """
        import json, sys
        for line in sys.stdin:
            said = json.loads(line)
            if "pair" in said:
                late = max(said["question"] - 1, 0)
                print(json.dumps({"pair": said["pair"], "score": 1, "question": late}), flush=True)
    """
    detector = make(program)
    assert scores(detector, [(0, 1)]) == [1.0]
    with pytest.raises(PluginError, match="does not belong to the present question, 1"):
        scores(detector, [(0, 1)])
    assert scores(detector, [(0, 1)]) == [1.0], "a program that starts again counts from 0"


def test_an_answer_without_a_vector_is_refused(make: Make) -> None:
    with pytest.raises(PluginError, match="it has no 'vector'"):
        scores(make(EMBEDDER.replace('"vector": vector', '"values": vector'), answers="vectors"), [(0, 1)])


def test_vectors_of_different_lengths_are_refused(make: Make) -> None:
    program = EMBEDDER.replace('text.count("b")]', 'text.count("b")] * (1 + said["fragment"])')
    with pytest.raises(PluginError, match="a vector has the length 6, the first one 3"):
        scores(make(program, answers="vectors"), [(0, 1)])


def test_no_process_is_left_behind(make: Make, tmp_path: Path) -> None:
    started = SCORER.replace("texts = {}", "import os; open('number', 'w').write(str(os.getpid())); texts = {}")
    detector = make(started)
    scores(detector, [(0, 1)])
    number = int((tmp_path / "own" / "number").read_text())
    os.kill(number, 0)
    del detector
    gc.collect()
    for _ in range(50):
        if not Path(f"/proc/{number}").exists():
            break
        time.sleep(0.1)
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "does not say `protocol = 1`"),
        ("protocol = 2\ncommand = ['a']", "does not say `protocol = 1`"),
        ("protocol = 1", "`command` is not a list of words"),
        ("protocol = 1\ncommand = 'rm -rf'", "`command` is not a list of words"),
        ("protocol = 1\ncommand = ['a']\nthreshhold = 1", "Unknown key 'threshhold'"),
        ("protocol = 1\ncommand = ['a']\nthreshold = true", "`threshold` is not a number"),
        ("protocol = 1\ncommand = ['a']\nseconds = 0", "`seconds` is not greater than 0"),
        ("protocol = 1\ncommand = ['a']\nanswers = 'words'", "`answers` is neither"),
        ("protocol = ", "cannot be read"),
    ],
)
def test_descriptions_that_are_not_valid(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "detector.toml").write_text(text)
    with pytest.raises(InputError) as error:
        read_command_detector(tmp_path)
    assert message in str(error.value)


def test_a_program_that_does_not_exist(make: Make) -> None:
    with pytest.raises(PluginError, match="cannot be started"):
        scores(make("", command=["no-such-program-here"]), [(0, 1)])


def test_it_is_evaluated_like_any_detector(make: Make, tmp_path: Path) -> None:
    make(SCORER, name="lengths", threshold=0.8)
    clonetruth.import_dataset("embedded", output=tmp_path / "benchmark")

    def same_length(left: str, right: str) -> float:
        return min(len(left), len(right)) / max(len(left), len(right))

    own = clonetruth.evaluate_detector(detector=[str(tmp_path / "own")], on=tmp_path / "benchmark")
    function = clonetruth.evaluate_detector(same_length, on=tmp_path / "benchmark", threshold=0.8)
    assert own["f1"].value == function["f1"].value
    assert clonetruth.evaluate_detector(tmp_path / "own", on=tmp_path / "benchmark")["f1"] == own["f1"]

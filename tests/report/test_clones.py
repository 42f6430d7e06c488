"""The page of a search for clones."""

from __future__ import annotations

from dataclasses import replace

from clonetruth.find import CloneReport
from clonetruth.html import render
from clonetruth.report.clones import clones_page, folders
from tests.report.clone_sample import CLASSES, LEFT, REPORT, clone_class, member
from tests.report.wellformed import read


def text_of(report: CloneReport) -> str:
    html = render(clones_page(report))
    reader = read(html)
    assert reader.problems == []
    assert not {"b", "i"} & set(reader.tags), "names of code stay text"
    return " ".join(" ".join(reader.text).split())


def test_it_opens_with_what_could_be_saved() -> None:
    text = text_of(REPORT)
    assert "5 fragments in 2 clone classes: 17 lines could be saved" in text
    assert "1.7 % of all lines are copies" in text
    assert "1 classes, strongest pair T1" in text.replace("\u202f", " ")
    assert "could not be read, so clones may be missing: app/odd.java" in text


def test_every_copy_is_compared_with_the_first_with_its_lines_and_differences() -> None:
    html = render(clones_page(REPORT))
    assert html.count('<table class="diff"') == 3
    text = text_of(REPORT)
    assert "app/core/More.java:90–95: renamed 1 name, 1 statement inserted" in text
    assert "91 ~" in text
    assert "all others are compared with this one" in text
    assert "(not new)" in text


def test_the_map_has_what_folders_share_and_repeat() -> None:
    text = text_of(REPORT)
    # Two copies of five lines within app/core, one each with app/web; the other class is in lib and app/web.
    assert "app/core and app/web: 5 lines" in text
    assert "within app/core: 5 lines" in text
    assert "app/web and lib/<i>: 5 lines" in text


def test_a_map_of_many_folders_shows_the_largest_and_the_others_as_one() -> None:
    classes = [
        clone_class(*(member(f"root/f{number}/{name}.java", name, LEFT) for name in "ab")) for number in range(30)
    ]
    text = text_of(replace(REPORT, classes=tuple(classes), classes_found=30, classes_by_type={"T1": 30}))
    assert "within all other folders: 85 lines" in text
    assert "within f0: 5 lines" in text


def test_the_fullest_folders_of_the_map_are_divided_until_it_is_full() -> None:
    flat = [f"src/main/org/tool/tasks/t{number}/T.java" for number in range(40)]
    few = ["src/main/org/tool/Main.java", "src/test/A.java", "src/test/deep/down/B.java"]
    found = folders([*flat, *few])
    assert {found[path] for path in flat} == {"main/org/tool/tasks"}, "forty more folders do not fit"
    assert found[few[0]] == "main/org/tool"
    assert [found[path] for path in few[1:]] == ["test", "test/deep/down"]
    assert set(folders(flat).values()) > {"t0", "all other folders"}


def test_code_is_shown_for_the_first_hundred_classes_and_the_page_says_so() -> None:
    many = replace(REPORT, classes=CLASSES[1:] * 150, classes_found=400, classes_by_type={"T1": 400})
    html = render(clones_page(many))
    reader = read(html)
    assert reader.problems == []
    assert html.count('href="#clone-') == 100
    text = " ".join(" ".join(reader.text).split())
    assert "The code of the first 100 classes; the table has the others." in text
    assert "150 of 400" in text


def test_a_page_without_clones_shows_what_was_searched() -> None:
    nothing = replace(
        REPORT,
        classes=(),
        classes_found=0,
        classes_by_type={},
        members=0,
        copied_lines=0,
        only_new="changed since main",
    )
    text = text_of(nothing)
    assert "No clones were found (changed since main)." in text
    assert "generated files 3 app/gen/Parser.java" in text

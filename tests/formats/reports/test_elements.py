"""XML as a stream of tags: lines are right, bombs are refused, broken files are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.errors import InputError
from clonetruth.formats.reports.elements import read_groups, read_tags, root_element
from tests.formats.reports.samples import one, read

BOMB = """<?xml version="1.0"?>
<!DOCTYPE pmd-cpd [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>
<pmd-cpd><duplication lines="1"><file path="&b;" line="1"/></duplication></pmd-cpd>
"""


def test_tags_have_their_lines_also_below_a_banner(tmp_path: Path) -> None:
    (path,) = one(tmp_path, "a.xml", 'banner 1\nbanner 2\n<a>\n\n<b x="1"/>\n<c/></a>')
    tags = list(read_tags(path, {"a", "b"}))
    assert [(tag.name, tag.line, tag.opens) for tag in tags] == [
        ("a", 3, True),
        ("b", 5, True),
        ("b", 5, False),
        ("a", 6, False),
    ]
    assert tags[1].attributes == {"x": "1"}


def test_prefixes_of_namespaces_do_not_matter(tmp_path: Path) -> None:
    (path,) = one(tmp_path, "a.xml", '<p:a xmlns:p="urn:x"><p:b/></p:a>')
    assert [tag.name for tag in read_tags(path, {"a", "b"}) if tag.opens] == ["a", "b"]
    assert root_element(path) == "a"


def test_members_outside_a_group_are_not_part_of_it(tmp_path: Path) -> None:
    (path,) = one(tmp_path, "a.xml", '<r><m n="0"/><g><m n="1"/><x><m n="2"/></x></g><m n="3"/><g/></r>')
    groups = [[member.attributes["n"] for member in group.members] for group in read_groups(path, "g", "m")]
    assert groups == [["1", "2"], []]


def test_a_document_type_is_refused(tmp_path: Path) -> None:
    (path,) = one(tmp_path, "bomb.xml", BOMB)
    with pytest.raises(InputError, match=r"document type") as caught:
        read("pmd", [path])
    assert caught.value.where == f"{path}, line 2"


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("<pmd-cpd>\n<duplication>\n<file", 3, "unclosed token"),
        ("<pmd-cpd>\n<duplication>\n</pmd-cpd>\n", 3, "mismatched tag"),
        ("banner\n<pmd-cpd>\n<a b=1/>\n</pmd-cpd>\n", 3, "not well-formed"),
        ("<pmd-cpd>\n&x;</pmd-cpd>", 2, "undefined entity"),
        ("", 1, "no element found"),
        ("no tag at all", 1, "syntax error"),
    ],
)
def test_broken_xml_names_its_line(text: str, line: int, why: str, tmp_path: Path) -> None:
    (path,) = one(tmp_path, "cpd.xml", text)
    with pytest.raises(InputError, match=why) as caught:
        read("pmd", [path])
    assert caught.value.where == f"{path}, line {line}"


def test_an_unknown_encoding_is_refused(tmp_path: Path) -> None:
    (path,) = one(tmp_path, "cpd.xml", '<?xml version="1.0" encoding="klingon"?><pmd-cpd/>')
    with pytest.raises(InputError, match="encoding"):
        read("pmd", [path])


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "windows-1252", "iso-8859-1"])
def test_windows_encodings_are_read(encoding: str, tmp_path: Path) -> None:
    declared = "utf-8" if encoding == "utf-8-sig" else encoding
    path = tmp_path / "cpd.xml"
    text = (
        f'<?xml version="1.0" encoding="{declared}"?><pmd-cpd><duplication lines="2">'
        '<file path="é.c" line="1"/><file path="ü.c" line="1"/></duplication></pmd-cpd>'
    )
    path.write_bytes(text.encode(encoding))
    assert read("pmd", [path])[0] == [("é.c", 1, 2, "ü.c", 1, 2, None)]


def test_the_root_is_found_after_comments_and_instructions(tmp_path: Path) -> None:
    (path,) = one(tmp_path, "a.xml", "<?xml version='1.0'?>\n<!-- <no> -->\n<yes/>")
    assert root_element(path) == "yes"
    assert root_element(one(tmp_path, "b.txt", "1 < 2")[0]) is None
    assert root_element(tmp_path) is None

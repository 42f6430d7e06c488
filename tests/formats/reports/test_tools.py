"""Quirks of single tools, and invalid rows in their reports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clonetruth.errors import InputError
from clonetruth.formats.reports import REPORT_FORMATS
from tests.conftest import SHARED
from tests.formats.reports import samples
from tests.formats.reports.samples import END, location, one, read


def reasons(name: str, paths: list[Path]) -> list[tuple[int | None, str]]:
    """The bad rows of a report: line and reason. Strict reading must fail at the first of them."""
    _, log = read(name, paths)
    with pytest.raises(InputError):
        read(name, paths, strict=True)
    return [(line, why) for _, line, why in log.first]


class TestNiCad:
    def test_the_end_must_be_there(self, tmp_path: Path) -> None:
        cut = samples.NICAD_PAIRS[: samples.NICAD_PAIRS.index("</clones>")]
        (path,) = one(tmp_path, "cut.xml", cut)
        with pytest.raises(InputError, match="does not end") as caught:
            read("nicad", [path])
        assert caught.value.where == f"{path}, line {cut.count(chr(10))}"

    def test_an_empty_report_has_no_pairs(self, tmp_path: Path) -> None:
        assert read("nicad", one(tmp_path, "none.xml", "<clones>\n</clones>\n"), strict=True)[0] == []

    def test_bad_sources_are_logged(self, tmp_path: Path) -> None:
        text = (
            '<clones>\n<source file="a.c" startline="1" endline="2" pcid="1"/>\n<clone nlines="2" similarity="100">\n'
            '<source file="a.c" startline="x" endline="2" pcid="1"/>\n<source file="b.c" startline="1" endline="2"/>\n'
            '</clone>\n<clone nlines="2" similarity="100">\n</clone>\n</clones>\n'
        )
        assert reasons("nicad", one(tmp_path, "bad.xml", text)) == [
            (2, "the source is outside a clone"),
            (4, "the first line is not a line number: 'x'"),
            (7, "a clone needs two locations, and the report names none"),
        ]

    def test_tags_may_stand_on_one_line(self, tmp_path: Path) -> None:
        text = samples.NICAD_PAIRS.replace("\n", " ")
        assert tuple(read("nicad", one(tmp_path, "flat.xml", text))[0]) == samples.SAMPLES["nicad"].rows


class TestXml:
    def test_cpd_without_a_last_line_is_logged(self, tmp_path: Path) -> None:
        text = (
            '<pmd-cpd>\n<duplication>\n<file path="a" line="1"/>\n<file path="b" line="1"/>\n</duplication></pmd-cpd>'
        )
        assert reasons("pmd", one(tmp_path, "cpd.xml", text)) == [
            (3, "the last line is missing"),
            (4, "the last line is missing"),
        ]

    def test_cpd_without_duplications(self, tmp_path: Path) -> None:
        assert read("pmd", one(tmp_path, "cpd.xml", "<pmd-cpd/>"), strict=True)[0] == []

    def test_simian_block_without_a_file(self, tmp_path: Path) -> None:
        text = samples.SIMIAN.replace('sourceFile="/src/B.cs" ', "")
        assert reasons("simian", one(tmp_path, "s.xml", text)) == [(10, "the path of a file is missing")]


class TestText:
    def test_iclones_fragments_without_a_file_or_position(self, tmp_path: Path) -> None:
        text = "-- Type 1\nFile: a\nFile: b\nPosition: 1,2\nPosition: 3,4\n-- Type 2\nFile: c\nPosition: 1,x\nFile: d\n"
        assert reasons("iclones", one(tmp_path, "i.txt", text)) == [
            (2, "the first line is missing"),
            (5, "the path of a file is missing"),
            (8, "the last line is not a line number: 'x'"),
            (9, "the first line is missing"),
        ]

    def test_deckard_lines_after_the_parameters_must_name_fragments(self, tmp_path: Path) -> None:
        text = "sim 0.95\n\nFILE a LINE:1:2 N\nnoise\nFILE b LINE:3:2 N\n\nFILE c LINE:3:2 N"
        paths = one(tmp_path, "cluster", text)
        assert read("deckard", paths)[0] == [("a", 1, 2, "b", 3, 4, None)]
        assert reasons("deckard", paths) == [
            (4, "the line does not name a file and lines"),
            (7, "a clone needs two locations, and the report names 1"),
        ]


class TestJson:
    @pytest.mark.parametrize("text", ["[]", '{"duplicates": 3}', '{"statistics": {}}', "{", '{"duplicates": [}'])
    def test_files_that_are_not_jscpd_reports(self, text: str, tmp_path: Path) -> None:
        with pytest.raises(InputError):
            read("jscpd", one(tmp_path, "jscpd.json", text))

    def test_bad_duplicates_are_logged(self, tmp_path: Path) -> None:
        side = {"name": "a.js", "start": 1, "end": 2}
        duplicates = [3, {"firstFile": side}, {"firstFile": side, "secondFile": side | {"start": 1.5}}]
        assert reasons("jscpd", one(tmp_path, "jscpd.json", json.dumps({"duplicates": duplicates}))) == [
            (None, "the path of a file is missing"),
            (None, "the path of a file is missing"),
            (None, "the path of a file is missing"),
            (None, "the first line is not a line number: '1.5'"),
        ]

    def test_a_name_that_ends_like_another_format_stays(self, tmp_path: Path) -> None:
        text = samples.JSCPD_5.replace("doc.md:javascript", "doc.md:css")
        assert read("jscpd", one(tmp_path, "jscpd.json", text))[0][0][3] == "doc.md:css"

    @staticmethod
    def sarif(tmp_path: Path, *locations: dict[str, object]) -> list[Path]:
        document = {"version": "2.1.0", "runs": [{"results": [{"locations": locations}]}]}
        return one(tmp_path, "a.sarif", json.dumps(document))

    def test_a_sarif_location_without_a_region_is_the_whole_file(self, tmp_path: Path) -> None:
        paths = self.sarif(tmp_path, location("a.c", None), location("b.c", {"startLine": 3, "endLine": 4}))
        assert read("sarif", paths, strict=True)[0] == [("a.c", 1, END, "b.c", 3, 4, None)]

    @pytest.mark.parametrize(
        ("uri", "path"),
        [
            ("file:///home/a%20b.c", "/home/a b.c"),
            ("file:///C:/src/a.c", "C:/src/a.c"),
            ("file://host/src/a.c", "/src/a.c"),
            ("src/a.c", "src/a.c"),
        ],
    )
    def test_uris_become_paths(self, uri: str, path: str, tmp_path: Path) -> None:
        paths = self.sarif(tmp_path, location(uri, {"startLine": 1}), location("b.c", {"startLine": 3}))
        assert read("sarif", paths)[0][0][0] == path

    def test_a_result_with_one_location_is_not_a_clone(self, tmp_path: Path) -> None:
        assert reasons("sarif", self.sarif(tmp_path, location("a.c", {"startLine": 1}))) == [
            (None, "a clone needs two locations, and the report names 1")
        ]

    @pytest.mark.parametrize("runs", [None, {}, [3, {"results": [4, {"locations": 5}]}]])
    def test_odd_shapes_do_not_crash(self, runs: object, tmp_path: Path) -> None:
        paths = one(tmp_path, "a.sarif", json.dumps({"runs": runs}))
        if isinstance(runs, list):
            assert read("sarif", paths)[1].skipped == 2
        else:
            with pytest.raises(InputError, match="no list of runs"):
                read("sarif", paths)


class TestWholeFiles:
    @pytest.mark.parametrize("name", ["jplag", "jplag-3", "dolos"])
    def test_the_log_notes_that_whole_files_were_compared(self, name: str, tmp_path: Path) -> None:
        sample = samples.SAMPLES[name]
        (note,) = read(sample.format, sample.write(tmp_path))[1].notes
        assert note.startswith("Whole files were compared")

    def test_bad_rows_of_jplag(self, tmp_path: Path) -> None:
        header = "submissionName1,submissionName2,averageSimilarity,maxSimilarity\n"
        assert reasons("jplag", one(tmp_path, "results.csv", header + "a,b,NaN,1\n,b,0.5,1\na,b\n")) == [
            (2, "the similarity is not a number: 'NaN'"),
            (3, "the path of a file is missing"),
            (4, "the similarity is not a number: 'None'"),
        ]
        assert reasons("jplag", one(tmp_path, "matches_avg.csv", "a;0;b;9.5;\nb;1;c\nd\n")) == [
            (2, "the similarity is not a number: 'None'"),
            (3, "the similarity is not a number: 'None'"),
        ]

    def test_a_long_first_row_of_jplag_2_is_recognised(self, tmp_path: Path) -> None:
        row = "ann" + "".join(f";{n};someone-{n};{n % 100}.5" for n in range(500)) + "\n"
        paths = one(tmp_path, "matches_avg.csv", row)
        assert REPORT_FORMATS["jplag"].recognise(paths)
        assert read("jplag", paths, strict=True)[1].pairs == 500

    def test_the_folder_of_dolos_with_its_fragments(self, tmp_path: Path) -> None:
        second = samples.DOLOS_PAIRS + "2,3,in/a.js,5,in/c.js,0.5,10,5\n"
        one(tmp_path, "pairs.csv", second)
        (tmp_path / "fragments").mkdir()
        selections = [
            {
                "leftSelection": {"startRow": 0, "startCol": 0, "endRow": 4, "endCol": 2},
                "rightSelection": {"startRow": 9, "startCol": 0, "endRow": 13, "endCol": 2},
            },
            {"leftSelection": {"startRow": 1}, "rightSelection": None},
        ]
        (tmp_path / "fragments" / "1.json").write_text(json.dumps(selections), encoding="utf-8")
        assert REPORT_FORMATS["dolos"].recognise([tmp_path])
        rows, log = read("dolos", [tmp_path])
        assert rows == [("in/a.js", 1, 5, "in/b.js", 10, 14, 0.75), ("in/a.js", 1, END, "in/c.js", 1, END, 0.5)]
        assert log.skipped == 2

    def test_dolos_without_the_names_of_its_files(self, tmp_path: Path) -> None:
        assert reasons("dolos", one(tmp_path, "pairs.csv", samples.DOLOS_NUMBERED)) == [
            (2, "the path of a file is missing"),
            (2, "the path of a file is missing"),
        ]

    def test_dolos_without_pairs(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="No list of pairs"):
            read("dolos", [tmp_path])


class TestSourcererCC:
    def test_pairs_of_unknown_blocks_are_left_out_and_counted(self, tmp_path: Path) -> None:
        pairs = "1,100,2,200\n1,100,1,999\n2,100,2,200\n"
        paths = [*one(tmp_path, "pairs", pairs), *one(tmp_path, "blocks", samples.SCC_BLOCKS)]
        assert reasons("sourcerercc", paths) == [
            (2, "block 1,999 is not in the bookkeeping"),
            (3, "block 2,100 is not in the bookkeeping"),
        ]
        assert read("sourcerercc", paths)[1].pairs == 1

    def test_blank_lines_blanks_and_short_rows(self, tmp_path: Path) -> None:
        pairs = '\n100,200\n 100 , "200" \n100\n200,100\n'
        blocks = "100,a.java,1,2\n200,b.java,3,4\n300,c.java,x,4\n400\n"
        paths = [*one(tmp_path, "pairs", pairs), *one(tmp_path, "blocks", blocks)]
        rows, _ = read("sourcerercc", paths)
        assert [(row[0], row[3]) for row in rows] == [("a.java", "b.java")] * 2 + [("b.java", "a.java")]
        assert reasons("sourcerercc", paths) == [
            (3, "the first line is not a line number: 'x'"),
            (4, "a line of the bookkeeping has 1 columns"),
            (4, "the row has 1 columns instead of 2"),
        ]

    def test_lines_are_counted_over_blocks_of_the_file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("clonetruth.formats.streams.BLOCK_BYTES", 30)
        pairs = "1,100,2,200\n" * 7 + "1,100,2,201\n" + "1,100,2,200\n" * 7 + "1,100\n"
        paths = [*one(tmp_path, "pairs", pairs), *one(tmp_path, "blocks", samples.SCC_BLOCKS)]
        assert read("sourcerercc", paths)[1].pairs == 14
        assert [line for line, _ in reasons("sourcerercc", paths)] == [8, 16]

    def test_a_block_before_any_file_has_no_path(self, tmp_path: Path) -> None:
        statistics = samples.SCC_STATISTICS.partition("\n")[2]
        paths = [*one(tmp_path, "s.stats", statistics), *one(tmp_path, "pairs", "11,100003000000,11,100003000001\n")]
        assert reasons("sourcerercc", paths)[0] == (1, "the path of a file is missing")

    @pytest.mark.parametrize("others", [{}, {"tokens.file": samples.SCC_TOKENS}])
    def test_without_the_bookkeeping_there_are_no_locations(self, others: dict[str, str], tmp_path: Path) -> None:
        paths = [*one(tmp_path, "pairs", "100,200\n"), *(one(tmp_path, *other)[0] for other in others.items())]
        with pytest.raises(InputError, match="no file gives the blocks' locations"):
            read("sourcerercc", paths)

    def test_without_pairs(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="No list of pairs"):
            read("sourcerercc", one(tmp_path, "blocks", samples.SCC_BLOCKS))

    def test_real_pairs_are_read(self, tmp_path: Path) -> None:
        """The pairs and tokens are SourcererCC's own on Apache Ant; the locations are made up here."""
        folder = SHARED / "sourcerercc"
        if not folder.is_dir():
            pytest.skip("the real run of SourcererCC (../shared/sourcerercc) is not beside the project")
        pairs, tokens = folder / "ant_pairs_70.csv.gz", folder / "ant_blocks.file.gz"
        with pytest.raises(InputError, match="a file of tokens holds no locations"):
            read("sourcerercc", [pairs, tokens])
        blocks = "".join(f"{number},ant/{number}.java,{number},{number + 9}\n" for number in range(100_000, 102_726))
        rows, log = read("sourcerercc", [tokens, *one(tmp_path, "blocks", blocks), pairs], strict=True)
        assert (len(rows), log.skipped) == (616, 0)
        assert rows[0] == ("ant/100001.java", 100001, 100010, "ant/100012.java", 100012, 100021, None)

"""A small report in each format and layout that the tools write, and its pairs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from clonetruth.formats.reports import REPORT_FORMATS, ReadingLog

END = 2**31 - 1

Row = tuple[str, int, int, str, int, int, float | None]


@dataclass(frozen=True)
class Sample:
    """A report: the format's name, its files by name, and the pairs that it reports."""

    format: str
    files: Mapping[str, str]
    rows: tuple[Row, ...]

    def write(self, folder: Path) -> list[Path]:
        for name, text in self.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        return [folder / name for name in self.files]


def read(name: str, paths: list[Path], *, strict: bool = False) -> tuple[list[Row], ReadingLog]:
    """All pairs of a report, and the log."""
    log = ReadingLog(strict=strict)
    rows = [tuple(row.values()) for batch in REPORT_FORMATS[name].read(paths, log) for row in batch.to_pylist()]
    return rows, log


def one(folder: Path, name: str, text: str) -> list[Path]:
    """A report of one file."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return [path]


NICAD_PAIRS = """<clones>
<systeminfo processor="nicad6" system="shop" granularity="functions" threshold="30%" minlines="10" maxlines="2500"/>
<cloneinfo npcs="120" npairs="2"/>
<runinfo ncompares="311" cputime="20"/>

<clone nlines="12" similarity="91">
<source file="systems/shop/Cart.java" startline="10" endline="24" pcid="7"></source>
<source file="systems/shop/Order &amp; Co.java" startline="100" endline="113" pcid="31"></source>
</clone>

<clone nlines="11" similarity="100">
<source file="systems/shop/tax.c.ifdefed" startline="3" endline="14" pcid="40"></source>
<source file="systems/shop/vat.c.ifdefed" startline="5" endline="16" pcid="41"></source>
</clone>
</clones>
"""

NICAD_CLASSES_WITH_SOURCE = """<clones>
<systeminfo processor="nicad6" system="shop" granularity="functions" threshold="0%" minlines="5" maxlines="2500"/>
<cloneinfo npcs="120" npairs="3"/>
<runinfo ncompares="311" cputime="20"/>
<classinfo nclasses="1"/>

<class classid="1" nclones="3" nlines="5" similarity="100">
<source file="a.java" startline="1" endline="5" pcid="1">
int least(List<Item> items) {
    for (Item i : items) if (i.n < 3 && i.m > 2) return i.n;
    String html = "<b>" + "</source>" + "<class>";
    return 0;
}
</source>
<source file="b.java" startline="2" endline="6" pcid="2">
int least(List<Item> items) { return items.size() < 3 ? 1 & 2 : 0; }
</source>
<source file="c.java" startline="3" endline="7" pcid="3">
</source>
</class>
</clones>
"""

CPD_7 = """<?xml version="1.0" encoding="UTF-8"?>
<pmd-cpd xmlns="https://pmd-code.org/schema/cpd-report" pmdVersion="7.17.0" version="1.0.0">
   <file path="/src/A.java" totalNumberOfTokens="110"/>
   <file path="/src/B.java" totalNumberOfTokens="110"/>
   <duplication lines="18" tokens="106">
      <file begintoken="122" column="25" endcolumn="2" endline="20" endtoken="227" line="3" path="/src/A.java"/>
      <file begintoken="233" column="25" endcolumn="2" endline="21" endtoken="338" line="4" path="/src/B.java"/>
      <codefragment><![CDATA[class A<T> { }]]></codefragment>
   </duplication>
</pmd-cpd>
"""

CPD_OLD = """<?xml version="1.0" encoding="ISO-8859-1"?>
<pmd-cpd>
<duplication lines="33" tokens="239">
<file line="32" path="C:\\src\\A.java"/>
<file line="68" path="C:\\src\\A.java"/>
<file line="9" path="C:\\src\\B.java"/>
<codefragment><![CDATA[int x;]]></codefragment>
</duplication>
</pmd-cpd>
"""

SIMIAN = """Simian Similarity Analyzer 4.0.0 - https://simian.quandarypeak.com
Copyright (c) 2023 Quandary Peak Research. All rights reserved.
<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet href="simian.xsl" type="text/xsl"?>
<!-- <a banner> -->
<simian version="4.0.0">
    <check failOnDuplication="true" ignoreCurlyBraces="true" threshold="6">
        <set lineCount="6" fingerprint="29aa6de95d9144b0e40bef634211fdf4">
            <block sourceFile="/src/A.cs" startLineNumber="18" endLineNumber="23"/>
            <block sourceFile="/src/B.cs" startLineNumber="34" endLineNumber="41"/>
        </set>
        <summary duplicateFileCount="2" duplicateLineCount="12" duplicateBlockCount="2"/>
    </check>
</simian>
"""

ICLONES_TEXT = """Loaded rcf file
-- Type 1
File: /srv/code/with blank/A.java
Position: 10,20
File: /srv/code/B.java
Position: 30,41
-- Type 2
File: /srv/code/A.java
Position: 1,5
File: /srv/code/B.java
Position: 2,6
File: /srv/code/C.java
Position: 3,7
"""

ICLONES_XML = """<?xml version="1.0" encoding="UTF-8"?>
<iclones>
<version number="0" basepath="/srv/code/">
<cloneclass id="1" type="1">
<fragment fileid="A.java" startline="10" endline="20" length="60"/>
<fragment fileid="p/B.java" startline="30" endline="41" length="60"/>
</cloneclass>
</version>
</iclones>
"""

DECKARD = """Parameters of the run
000000353\tdist:0.0\tFILE src/A.java LINE:119:15 NODE_KIND:66 nVARs:8 NUM_NODE:104 TBID:1 TEID:90
000000354\tdist:1.2\tFILE src/of two/B.java LINE:20:14 NODE_KIND:66 nVARs:8 NUM_NODE:104 TBID:1 TEID:90

FILE src/C.java LINE:1:5 NODE_KIND:1
FILE src/D.java LINE:2:5 NODE_KIND:1

"""

JPLAG = (
    'submissionName1,submissionName2,averageSimilarity,maxSimilarity\r\nann,bob,0.9234,0.99\r\n"c,d",bob,0.12,0.33\r\n'
)
JPLAG_3 = "0;ann;bob;92.3;\n1;bob;cy;12.0;\n"
JPLAG_2 = "ann;0;bob;92.3;1;cy;12.0;\nbob;2;cy;11.0;\n"

DOLOS_PAIRS = (
    "id,leftFileId,leftFilePath,rightFileId,rightFilePath,similarity,totalOverlap,longestFragment\n"
    "1,3,in/a.js,4,in/b.js,0.75,40,20\n"
)
DOLOS_NUMBERED = "id,leftFileId,rightFileId,similarity\n1,3,4,0.75\n"
DOLOS_FILES = 'id,path,content,ast,extra\n3,in/a.js,"x\ny",(p),null\n4,in/b.js,"x, y",(p),null\n'

JSCPD_4 = json.dumps(
    {
        "statistics": {"detectionDate": "2026-01-01T00:00:00.000Z", "total": {"lines": 35, "clones": 1}},
        "duplicates": [
            {
                "format": "javascript",
                "lines": 11,
                "fragment": "function f() {}",
                "tokens": 107,
                "firstFile": {
                    "name": "c.js",
                    "start": 2,
                    "end": 12,
                    "startLoc": {"line": 2, "column": 6, "position": 5},
                    "endLoc": {"line": 12, "column": 2, "position": 112},
                },
                "secondFile": {
                    "name": "sub/b.js",
                    "start": 1,
                    "end": 11,
                    "startLoc": {"line": 1, "column": 12, "position": 7},
                    "endLoc": {"line": 11, "column": 2, "position": 114},
                },
            }
        ],
    },
    indent=2,
)

JSCPD_5 = json.dumps(
    {
        "duplicates": [
            {
                "firstFile": {"end": 11, "endLoc": {"column": 1, "line": 11}, "name": "a.js", "start": 1},
                "format": "javascript",
                "fragment": "function f() {}",
                "isNew": False,
                "kind": "exact",
                "lines": 11,
                "secondFile": {"end": 14, "endLoc": {"column": 1, "line": 14}, "name": "doc.md:javascript", "start": 4},
                "tokens": 69,
            }
        ],
        "statistics": {"detectionDate": "2026-01-01T00:00:00.000Z"},
    }
)


def location(uri: str | None, region: Mapping[str, int] | None, index: int | None = None) -> dict[str, object]:
    """A location of SARIF."""
    artifact = {key: value for key, value in (("uri", uri), ("index", index)) if value is not None}
    physical = {"artifactLocation": artifact} | ({} if region is None else {"region": dict(region)})
    return {"physicalLocation": physical}


SARIF = json.dumps(
    {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "jscpd"}},
                "artifacts": [{"location": {"uri": "a.js"}}, {"location": {"uri": "sub/b%20c.js"}}],
                "results": [
                    {
                        "message": {"text": "Duplicated code block"},
                        "locations": [location("a.js", {"startLine": 1, "endLine": 11}, 0)],
                        "relatedLocations": [
                            location("a.js", {"startLine": 1, "endLine": 11}, 0),
                            location(None, {"startLine": 2, "endLine": 12}, 1),
                            location("file:///srv/code/d.js", {"startLine": 7}),
                        ],
                    }
                ],
            }
        ],
    }
)

SCC_PAIRS = "1,100,2,200\n2,200,1,101\n"
SCC_BLOCKS = "1,100,src/A.java,5,9\n1,101,src/A.java,20,30\n2,200,src/B.java,1,4\n"
SCC_STATISTICS = (
    'f11,3000000,"in/shop.zip/A.java","NULL/A.java","a5db",1360,47,38,38\n'
    'b11,100003000000,"f8f1",4,4,4,13,16\n'
    'b11,100013000000,"6a2f",3,3,3,18,20\n'
    'f11,3000001,"in/shop.zip/B.java","NULL/B.java","2411",281,81,71,71\n'
    'b11,100003000001,"cdb1",8,8,8,87,94\n'
)
SCC_TOKENS = "1,100,45,21,6d8b@#@public@@::@@1,static@@::@@2\n"

SAMPLES = {
    "bigcloneeval": Sample(
        "bigcloneeval",
        {"tool.csv": "selected,1.java,3,9,default,2.java,1,8\n"},
        (("selected/1.java", 3, 9, "default/2.java", 1, 8, None),),
    ),
    "nicad": Sample(
        "nicad",
        {"shop-clones-0.30.xml": NICAD_PAIRS},
        (
            ("systems/shop/Cart.java", 10, 24, "systems/shop/Order & Co.java", 100, 113, 91.0),
            ("systems/shop/tax.c", 3, 14, "systems/shop/vat.c", 5, 16, 100.0),
        ),
    ),
    "nicad-classes-with-source": Sample(
        "nicad",
        {"shop-classes-withsource.xml": NICAD_CLASSES_WITH_SOURCE},
        (
            ("a.java", 1, 5, "b.java", 2, 6, 100.0),
            ("a.java", 1, 5, "c.java", 3, 7, 100.0),
            ("b.java", 2, 6, "c.java", 3, 7, 100.0),
        ),
    ),
    "sourcerercc": Sample(
        "sourcerercc",
        {"pairs.txt": SCC_PAIRS, "headers.file": SCC_BLOCKS},
        (
            ("src/A.java", 5, 9, "src/B.java", 1, 4, None),
            ("src/B.java", 1, 4, "src/A.java", 20, 30, None),
        ),
    ),
    "sourcerercc-without-projects": Sample(
        "sourcerercc",
        {
            "headers.file": "100,src/A.java,5,9\n200,src/B.java,1,4\n",
            "pairs.csv": "100,200\n",
            "tokens.file": SCC_TOKENS,
        },
        (("src/A.java", 5, 9, "src/B.java", 1, 4, None),),
    ),
    "sourcerercc-statistics": Sample(
        "sourcerercc",
        {"files-stats-0.stats": SCC_STATISTICS, "results.pairs": "11,100013000000,11,100003000001\n"},
        (("in/shop.zip/A.java", 18, 20, "in/shop.zip/B.java", 87, 94, None),),
    ),
    "jscpd-4": Sample("jscpd", {"jscpd-report.json": JSCPD_4}, (("c.js", 2, 12, "sub/b.js", 1, 11, None),)),
    "jscpd-5": Sample("jscpd", {"jscpd-report.json": JSCPD_5}, (("a.js", 1, 11, "doc.md", 4, 14, None),)),
    "pmd-7": Sample("pmd", {"cpd.xml": CPD_7}, (("/src/A.java", 3, 20, "/src/B.java", 4, 21, None),)),
    "pmd-old": Sample(
        "pmd",
        {"cpd.xml": CPD_OLD},
        (
            ("C:\\src\\A.java", 32, 64, "C:\\src\\A.java", 68, 100, None),
            ("C:\\src\\A.java", 32, 64, "C:\\src\\B.java", 9, 41, None),
            ("C:\\src\\A.java", 68, 100, "C:\\src\\B.java", 9, 41, None),
        ),
    ),
    "simian": Sample("simian", {"simian.xml": SIMIAN}, (("/src/A.cs", 18, 23, "/src/B.cs", 34, 41, None),)),
    "iclones-text": Sample(
        "iclones",
        {"iclones.txt": ICLONES_TEXT},
        (
            ("/srv/code/with blank/A.java", 10, 20, "/srv/code/B.java", 30, 41, None),
            ("/srv/code/A.java", 1, 5, "/srv/code/B.java", 2, 6, None),
            ("/srv/code/A.java", 1, 5, "/srv/code/C.java", 3, 7, None),
            ("/srv/code/B.java", 2, 6, "/srv/code/C.java", 3, 7, None),
        ),
    ),
    "iclones-xml": Sample(
        "iclones",
        {"iclones.xml": ICLONES_XML},
        (("/srv/code/A.java", 10, 20, "/srv/code/p/B.java", 30, 41, None),),
    ),
    "deckard": Sample(
        "deckard",
        {"cluster_vdb_50_2": DECKARD},
        (
            ("src/A.java", 119, 133, "src/of two/B.java", 20, 33, None),
            ("src/C.java", 1, 5, "src/D.java", 2, 6, None),
        ),
    ),
    "jplag": Sample(
        "jplag",
        {"results.csv": JPLAG},
        (("ann", 1, END, "bob", 1, END, 0.9234), ("c,d", 1, END, "bob", 1, END, 0.12)),
    ),
    "jplag-3": Sample(
        "jplag",
        {"matches_avg.csv": JPLAG_3},
        (("ann", 1, END, "bob", 1, END, 92.3), ("bob", 1, END, "cy", 1, END, 12.0)),
    ),
    "jplag-2": Sample(
        "jplag",
        {"matches_avg.csv": JPLAG_2},
        (
            ("ann", 1, END, "bob", 1, END, 92.3),
            ("ann", 1, END, "cy", 1, END, 12.0),
            ("bob", 1, END, "cy", 1, END, 11.0),
        ),
    ),
    "dolos": Sample("dolos", {"pairs.csv": DOLOS_PAIRS}, (("in/a.js", 1, END, "in/b.js", 1, END, 0.75),)),
    "dolos-numbered": Sample(
        "dolos",
        {"pairs.csv": DOLOS_NUMBERED, "files.csv": DOLOS_FILES},
        (("in/a.js", 1, END, "in/b.js", 1, END, 0.75),),
    ),
    "sarif": Sample(
        "sarif",
        {"clones.sarif": SARIF},
        (
            ("a.js", 1, 11, "sub/b c.js", 2, 12, None),
            ("a.js", 1, 11, "/srv/code/d.js", 7, 7, None),
            ("sub/b c.js", 2, 12, "/srv/code/d.js", 7, 7, None),
        ),
    ),
}

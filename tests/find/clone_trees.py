"""Small source trees with clones whose types are known."""

from __future__ import annotations

from pathlib import Path

SUM = """    static int sumAbove(int[] values, int limit) {
        int total = 0;
        for (int value : values) {
            if (value > limit) {
                total += value;
            }
        }
        System.out.println("the sum is " + total);
        return total;
    }
"""
LAYOUT = SUM.replace("int total = 0;", "// starts at nothing\n        int total   = 0;")
RENAMED = SUM.replace("total", "result").replace("limit", "least").replace("the sum is", "result:")
EDITED = SUM.replace("        return", "        check(total);\n        return")
OTHER = """    static String reversed(String text) {
        StringBuilder built = new StringBuilder();
        for (int at = text.length() - 1; at >= 0; at--) {
            built.append(text.charAt(at)).append(' ');
        }
        String done = built.toString().trim();
        return done.isEmpty() ? null : done;
    }
"""

PYTHON = '''def mean_of_known(values, default=None):
    """The mean."""
    known = [value for value in values if value is not None]
    if not known:
        return default
    total = sum(known)
    print("the mean of", len(known), "is", total / len(known))
    return total / len(known)
'''


def java(name: str, *methods: str) -> str:
    """A Java file."""
    return f"class {name} {{\n" + "\n".join(methods) + "}\n"


def plant(root: Path, files: dict[str, str]) -> Path:
    """Write files below a folder; the folder."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


FAMILY = {
    "src/One.java": java("One", SUM),
    "src/Layout.java": java("Layout", LAYOUT),
    "src/Renamed.java": java("Renamed", RENAMED),
    "src/Edited.java": java("Edited", EDITED, OTHER),
}
"""A function, three clones of it of the three types, and a function that is alone."""

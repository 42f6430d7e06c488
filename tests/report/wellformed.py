"""A strict reader of the pages: every element closed in order, ids unique, nothing from outside."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"meta", "link", "br", "hr", "img", "input", "col", "wbr"}


class StrictReader(HTMLParser):
    """Collects what is wrong with a document, its headings, and its text outside style and script."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.problems: list[str] = []
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.headings: list[int] = []
        self.tags: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        names = [name for name, _ in attrs]
        if len(set(names)) != len(names):
            self.problems.append(f"{tag} has an attribute twice: {names}")
        for name, value in attrs:
            if name == "id" and value is not None:
                if value in self.ids:
                    self.problems.append(f"the id {value} is used twice")
                self.ids.add(value)
            if name in ("href", "src") and value is not None:
                self.links.append(value)
            if name == "style" or name.startswith("on"):
                self.problems.append(f"{tag} has the attribute {name}, which the policy forbids")
        if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            self.headings.append(int(tag[1]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"unexpected end of {tag} in line {self.getpos()[0]}")

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] not in ("style", "script"):
            self.text.append(data)


def read(document: str) -> StrictReader:
    """Read a whole document; an element that is never closed is a problem too."""
    reader = StrictReader()
    reader.feed(document)
    reader.close()
    reader.problems += [f"{tag} is never closed" for tag in reader.open]
    for before, after in zip(reader.headings, reader.headings[1:], strict=False):
        if after > before + 1:
            reader.problems.append(f"a heading of level {after} follows one of level {before}")
    for link in reader.links:
        if link.startswith("#") and link[1:] not in reader.ids:
            reader.problems.append(f"the link {link} leads nowhere")
        if not link.startswith(("#", "data:")):
            reader.problems.append(f"the page refers to {link}")
    return reader

"""Accessibility of a page: contrast, and the rules of axe."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.e2e.conftest import Browser

CONTRAST = """
const channel = c => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
const parse = c => c.match(/[\\d.]+/g).map(Number);
const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const ground = element => {
  for (; element; element = element.parentElement) {
    const colour = parse(getComputedStyle(element).backgroundColor);
    if (colour.length < 4 || colour[3] > 0) return colour;
  }
  return [255, 255, 255];
};
const weak = {};
let checked = 0;
for (const element of document.querySelectorAll('body *')) {
  if (![...element.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
  if (element.closest('title, desc, script')) continue;
  const style = getComputedStyle(element);
  const colour = parse(element instanceof SVGElement ? style.fill : style.color);
  const [a, b] = [luminance(colour), luminance(ground(element))].sort((x, y) => y - x);
  checked += 1;
  const name = element.tagName + '.' + element.getAttribute('class');
  if ((a + 0.05) / (b + 0.05) < 4.5) weak[name] = element.textContent;
}
return [checked, weak];
"""
"""A script that returns the number of checked texts, and those with a contrast below 4.5 to 1."""


def axe_findings(browser: Browser) -> list[tuple[str, str]]:
    """The violations that axe finds on the open page, each with its first element; skips the test without axe."""
    script = axe()
    if script is None:
        pytest.skip("needs axe-core: npm install axe-core, or set AXE_CORE to axe.min.js")
    browser.run(script.read_text(encoding="utf-8"))
    results = browser.run_async("axe.run().then(arguments[arguments.length - 1])")
    return [(rule["id"], rule["nodes"][0]["html"][:200]) for rule in results["violations"]]


def axe() -> Path | None:
    """The file of axe-core: named by $AXE_CORE, or installed under the root of the repository."""
    named = os.environ.get("AXE_CORE")
    places = [Path(named)] if named else []
    places.append(ROOT / "node_modules" / "axe-core" / "axe.min.js")
    return next((place for place in places if place.is_file()), None)

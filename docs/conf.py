"""The documentation site: ``sphinx-build -W --keep-going -b html docs docs/_build/html``.

Everything is built from local files: no fonts, scripts or inventories are fetched, neither while building nor while
reading. Notebooks are shown with the output that they carry; `tests/test_snippets.py` executes them.
"""

from __future__ import annotations

import re
from pathlib import Path

_SOURCE = (Path(__file__).parent.parent / "src" / "clonetruth" / "__init__.py").read_text(encoding="utf-8")
_VERSION = re.search(r'^__version__ = "(.+)"$', _SOURCE, re.MULTILINE)

project = "clonetruth"
author = "The clonetruth authors"
project_copyright = author
release = _VERSION[1] if _VERSION else ""

extensions = ["myst_nb"]
exclude_patterns = ["_build", "**.ipynb_checkpoints"]
nb_execution_mode = "off"
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
# What leaves the site: the address of a file in the repository has no page of its own.
suppress_warnings = ["myst.header", "misc.highlighting_failure"]

html_theme = "furo"
html_title = f"clonetruth {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"navigation_with_keys": True}
pygments_style = "tango"
pygments_dark_style = "github-dark"

"""The views: one file each, one line here."""

from __future__ import annotations

from clonetruth.registry import Registry
from clonetruth.splits.view import View

_ROOM = "clonetruth.splits"

VIEWS: Registry[View] = Registry(
    "view",
    {
        "random": f"{_ROOM}.random_fragments:RANDOM",
        "cross-project": f"{_ROOM}.cross_project:CROSS_PROJECT",
        "cross-functionality": f"{_ROOM}.cross_functionality:CROSS_FUNCTIONALITY",
        "cross-all": f"{_ROOM}.cross_all:CROSS_ALL",
        "unseen-fragments": f"{_ROOM}.unseen:UNSEEN_FRAGMENTS",
        "unseen-functionalities": f"{_ROOM}.unseen:UNSEEN_FUNCTIONALITIES",
        "cross-language": f"{_ROOM}.cross_language:CROSS_LANGUAGE",
        "cross-generator": f"{_ROOM}.cross_generator:CROSS_GENERATOR",
    },
    group="clonetruth.views",
)

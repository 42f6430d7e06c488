"""One options object per verb: the words, defaults and help of the command line and of the Python functions."""

from clonetruth.options.declaration import Declaration, Option, Options, argument, option, verb
from clonetruth.options.settings import Settings, read_settings
from clonetruth.options.shared import EngineOptions, HtmlOptions, JsonOptions, ProcessOptions

__all__ = [
    "Declaration",
    "EngineOptions",
    "HtmlOptions",
    "JsonOptions",
    "Option",
    "Options",
    "ProcessOptions",
    "Settings",
    "argument",
    "option",
    "read_settings",
    "verb",
]

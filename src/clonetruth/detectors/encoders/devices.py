"""Where models compute: the processor, or a graphics card."""

from __future__ import annotations

from clonetruth.errors import InputError

DEVICES = ("auto", "cpu", "cuda", "mps")
_PROVIDERS = {"cpu": "CPUExecutionProvider", "cuda": "CUDAExecutionProvider", "mps": "CoreMLExecutionProvider"}


def check_device(device: str) -> str:
    """A device's name.

    Raises:
        InputError: there is no such device.
    """
    if device not in DEVICES:
        raise InputError(f"'{device}' is not a device.", where="device", hint=f"Choose from: {', '.join(DEVICES)}.")
    return device


def torch_device(device: str) -> str:
    """The device that PyTorch uses.

    Raises:
        InputError: the machine does not have it.
    """
    import torch

    available = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    return _chosen(device, [name for name in ("cuda", "mps", "cpu") if available[name]])


def available_device(trained_on: str) -> str:
    """The device that a model was trained on, or the processor of a machine that does not have it."""
    try:
        return "cpu" if trained_on == "cpu" else torch_device(trained_on)
    except InputError:
        return "cpu"


def onnx_device(device: str) -> tuple[str, str]:
    """The device that ONNX Runtime uses, and the name of its provider.

    Raises:
        InputError: the machine does not have it, or the installed package does not support it.
    """
    import onnxruntime

    found = onnxruntime.get_available_providers()
    # CoreML changes numbers, and runs parts of a model only: it must be asked for.
    chosen = _chosen(device, [name for name in ("cuda", "cpu", "mps") if _PROVIDERS[name] in found])
    return chosen, _PROVIDERS[chosen]


def _chosen(device: str, available: list[str]) -> str:
    wanted = available[0] if check_device(device) == "auto" else device
    if wanted not in available:
        raise InputError(
            f"The device '{wanted}' is not available.", where="device", hint=f"Available: {', '.join(available)}."
        )
    return wanted

"""Encoders: pretrained models that turn code into vectors, from a folder, without running code of that folder."""

from clonetruth.detectors.encoders.devices import DEVICES
from clonetruth.detectors.encoders.encoder import Encoder, EncoderSpec
from clonetruth.detectors.encoders.model_files import ModelFiles, is_encoder_folder, model_folder
from clonetruth.detectors.encoders.pooling import POOLINGS

__all__ = ["DEVICES", "POOLINGS", "Encoder", "EncoderSpec", "ModelFiles", "is_encoder_folder", "model_folder"]

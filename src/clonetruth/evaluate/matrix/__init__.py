"""Detector × view × abstraction level × seed."""

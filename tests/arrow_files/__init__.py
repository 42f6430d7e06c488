"""Tests of the entrance for Parquet and Arrow files."""

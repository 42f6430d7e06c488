"""The external tools: one file each."""

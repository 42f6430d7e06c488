"""The field's file formats, read and written."""

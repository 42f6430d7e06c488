"""Clone reports of the field's tools, read into one shape."""

from clonetruth.formats.reports.report import REPORTED, ReadingLog, ReportFormat

__all__ = ["REPORTED", "ReadingLog", "ReportFormat"]

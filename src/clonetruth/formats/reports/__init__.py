"""Clone reports of tools, read into one table schema."""

from clonetruth.formats.reports.paths import PathResolver
from clonetruth.formats.reports.registry import REPORT_FORMATS, recognise_report
from clonetruth.formats.reports.report import REPORTED, ReadingLog, ReportFormat

__all__ = ["REPORTED", "REPORT_FORMATS", "PathResolver", "ReadingLog", "ReportFormat", "recognise_report"]

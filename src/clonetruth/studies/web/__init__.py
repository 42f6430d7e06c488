"""The pages on which people judge the subjects of a study, blind and one at a time. They need the extra `web`."""

from clonetruth.studies.web.app import create_app
from clonetruth.studies.web.server import is_loopback, serve
from clonetruth.studies.web.templating import CodeText, PageStyle, TableCell, TableColumn

__all__ = ["CodeText", "PageStyle", "TableCell", "TableColumn", "create_app", "is_loopback", "serve"]

"""The pages on which people judge the subjects of a study, blind and one at a time. They need the extra `web`."""

from clonetruth.labelling.web.app import create_app
from clonetruth.labelling.web.look import Code, Look, TableCell, TableColumn
from clonetruth.labelling.web.serving import is_loopback, serve

__all__ = ["Code", "Look", "TableCell", "TableColumn", "create_app", "is_loopback", "serve"]

"""The pages on which people judge the subjects of a study, blind and one at a time. Needs the extra `web`."""

from clonetruth.studies.web.app import create_app
from clonetruth.studies.web.server import is_loopback, serve

__all__ = ["create_app", "is_loopback", "serve"]

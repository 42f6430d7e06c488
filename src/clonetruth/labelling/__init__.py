"""The human judge's room: who judges what, and the pages on which it is judged (`labelling.web`)."""

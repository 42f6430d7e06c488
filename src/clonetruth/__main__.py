"""``clonetruth`` and ``python -m clonetruth``."""

import os
import signal


def main() -> None:
    """Run the command line; Ctrl-C while it is loaded ends the process, since there is nothing to clean up."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    from clonetruth.cli import main as run

    run()


if __name__ == "__main__":
    main()

"""``clonetruth`` and ``python -m clonetruth``."""

import os


def main() -> None:
    """Run the command line; Ctrl-C while it is loaded ends the process, since there is nothing to clean up."""
    # `signal` loads modules for milliseconds, in which Ctrl-C would print a traceback. Its C part is built in.
    signals = __import__("_signal")
    if signals.getsignal(signals.SIGINT) is signals.default_int_handler:
        signals.signal(signals.SIGINT, lambda *_: os._exit(130))
    from clonetruth.cli import main as run

    run()


if __name__ == "__main__":
    main()

"""``clonetruth`` and ``python -m clonetruth``."""

import os


def main() -> None:
    """Run the command line; Ctrl-C while it is loaded ends the process, since there is nothing to clean up."""
    # `signal` loads modules for milliseconds, in which Ctrl-C would print a traceback. Its C part is built in.
    signals = __import__("_signal")
    if signals.getsignal(signals.SIGINT) is signals.default_int_handler:
        signals.signal(signals.SIGINT, lambda *_: os._exit(130))
    # Modules and results are many small objects that stay: looking for cycles among them takes a twentieth of a run.
    __import__("gc").set_threshold(100_000, 50, 100)
    from clonetruth.cli import main as run
    from clonetruth.cli.ending import end_process

    run(end_process)


if __name__ == "__main__":
    main()

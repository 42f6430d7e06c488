"""``python -m clonetruth``."""

from clonetruth.cli import main

if __name__ == "__main__":
    main()

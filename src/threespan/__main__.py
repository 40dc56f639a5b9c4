"""The command `threespan`, also `python -m threespan`: it runs kernels from libraries, if there are any."""

import sys

from threespan.core.libraries import can_run, prefer_libraries


def main() -> None:
    """Run the command."""
    if not can_run():
        print(
            "threespan: there is no library for this machine; `pip install threespan[build]` makes one", file=sys.stderr
        )
        sys.exit(2)
    prefer_libraries()  # before anything else is imported
    from threespan.cli import main as run

    run()


if __name__ == "__main__":
    main()

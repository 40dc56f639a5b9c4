"""Run the conformance suite on a game: `python -m threespan.testing CODE`. Other arguments are passed to pytest."""

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path

from threespan.core.errors import EXIT_CODE, UserError
from threespan.testing.subject import Subject

_FOLDER = Path(__file__).parent
_COMMAND = "python -m threespan.testing"


def main(arguments: list[str]) -> int:
    """Run the suite, or write golden records; returns the exit code."""
    chosen, rest = _read(arguments)
    try:
        subject = Subject.of(chosen.code, chosen.golden)
        return _write(subject, chosen.write_golden) if chosen.write_golden else _run(subject, rest)
    except UserError as error:
        print(f"{_COMMAND}: {error}", file=sys.stderr)
        return EXIT_CODE


def _read(arguments: list[str]) -> tuple[argparse.Namespace, list[str]]:
    reader = argparse.ArgumentParser(prog=_COMMAND, description=__doc__, allow_abbrev=False)
    reader.add_argument("code", help="the code of a game; THREESPAN_GAMES names additional packages")
    reader.add_argument(
        "--golden",
        type=Path,
        metavar="DIR",
        help="folder of golden records; default: tests/golden in the game's folder",
    )
    reader.add_argument(
        "--write-golden", type=Path, metavar="DIR", help="write golden records instead of running the suite"
    )
    return reader.parse_known_args(arguments)


def _write(subject: Subject, folder: Path) -> int:
    from threespan.testing.records import write_golden

    for file in write_golden(subject.game, folder):
        print(file)
    return 0


def _run(subject: Subject, arguments: list[str]) -> int:
    if find_spec("pytest") is None:
        raise UserError("the suite needs pytest; install it: pip install 'threespan[testing]'")
    import pytest

    class Plugin:
        """Passes the game to the test."""

        @pytest.fixture(name="subject")
        def provide_subject(self) -> Subject:
            return subject

    # Use our own pytest settings, not those of the project in the current folder.
    settings = ["-c", str(_FOLDER / "pytest.ini"), "--rootdir", str(Path.cwd()), "--import-mode=importlib"]
    return int(pytest.main([*settings, *arguments, str(_FOLDER / "running.py")], plugins=[Plugin()]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

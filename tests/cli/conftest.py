"""Running the command inside the test process, as a user would type it."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest

from threespan import cli


class CommandResult(NamedTuple):
    """The output and the exit code of a command."""

    code: int
    out: str
    err: str


Run = Callable[..., CommandResult]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Run `threespan` with arguments and lines of input."""
    monkeypatch.setenv("THREESPAN_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("THREESPAN_MATERIAL", "")  # the command may set it; restored after the test

    def run_command(*arguments: object, typed: str = "") -> CommandResult:
        monkeypatch.setattr("sys.argv", ["threespan", *map(str, arguments)])
        monkeypatch.setattr("sys.stdin", StringIO(typed))
        try:
            cli.main()
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
        printed = capsys.readouterr()
        return CommandResult(code, printed.out, printed.err)

    return run_command

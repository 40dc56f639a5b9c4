"""Golden records: matches of earlier versions must replay forever."""

from pathlib import Path

from threespan.core.game import Game
from threespan.core.options import Options, option_values
from threespan.core.record import load_record, verify, write_record
from threespan.testing.matches import random_match, variants
from threespan.testing.subject import Checks, Subject

CHECKS = Checks()


@CHECKS.add
def golden_records_replay(subject: Subject) -> None:
    """Every golden record replays, with the right outcome and the right chance events."""
    files = sorted(subject.golden.glob("*.jsonl"))
    code = subject.game.code
    assert files, (
        f"{subject.golden} has no records; `python -m threespan.testing {code} --write-golden DIR` writes some, "
        f"and `--golden DIR` says where they are"
    )
    for file in files:
        verify(load_record(file))


def write_golden(game: Game, folder: Path) -> list[Path]:
    """Write a record of a random match of every variant, except those that exist; returns the new files."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for seed, options in enumerate(variants(game)):
        file = folder / f"{_file_name(game, options)}.jsonl"
        if not file.exists():
            *_, match = random_match(game, options, seed)
            file.write_text(write_record(match), "utf-8")
            written.append(file)
    return written


def _file_name(game: Game, options: Options) -> str:
    """The number of players and all options that are not at their default: `players-2-largest-9`."""
    defaults = {spec.name: spec.default for spec in game.option_specs()}
    values = option_values(options)
    parts = [f"{name}-{value}" for name, value in values.items() if name == "players" or value != defaults[name]]
    return "-".join(parts).lower()

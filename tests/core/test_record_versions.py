"""Records of matches that were played by an older version of the rules stay valid after a rule has changed.

The files in `records` were written when Nim had version 1 of its rules; one of them in the first format, which named no
version. Here Nim gets a made-up version 2, in which the last seat begins instead of the first.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import msgspec
import pytest

from nim.game import Nim, NimOptions
from threespan.core import record as records
from threespan.core.chance import MatchSeed
from threespan.core.game import Game, Material
from threespan.core.layout import State
from threespan.core.match import Match
from threespan.core.options import Detail, OptionError, Options, read_options, read_recorded_options
from threespan.core.record import RecordError, load_record, read_record, replay, verify, write_record
from threespan.core.registry import find_game

FOLDER = Path(__file__).parent / "records"
OLD_FILES = sorted(FOLDER.glob("*.jsonl"))


class LaterOptions(NimOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Version 2 of the options: the starting seat can be chosen, and is no longer the first one by default."""

    begins: Literal["first", "last"] = "last"
    details: ClassVar = {"begins": Detail(since=2, before="first")}


class LaterNim(Nim):
    """Version 2 of the rules."""

    version = 2
    options = LaterOptions

    def setup(self, options: Options, material: Material) -> State:
        """The seat in the options starts."""
        assert isinstance(options, LaterOptions)
        state = super().setup(options, material)
        state.turn = options.players - 1 if options.begins == "last" else 0
        return state


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> LaterNim:
    """Nim with changed rules."""
    game = LaterNim()
    find: Callable[[str], Game] = lambda code: game if code == "nim" else find_game(code)  # noqa: E731
    monkeypatch.setattr(records, "find_game", find)
    return game


def finished(game: Game, **settings: Any) -> Match:
    """A match in which everybody plays the first legal action."""
    match = Match.new(game, read_options(game.options, settings), MatchSeed.of("versions"))
    while seats := match.position.acting():
        match.play(seats[0], match.position.legal(seats[0])[0])
    return match


def changed(text: str, **values: Any) -> str:
    """A record with changed values in its header."""
    header, rest = text.split("\n", 1)
    return json.dumps(json.loads(header) | values) + "\n" + rest


@pytest.mark.parametrize("file", OLD_FILES, ids=lambda file: str(file.stem))
def test_an_old_record_stays_valid_after_a_rule_has_changed(later: LaterNim, file: Path) -> None:
    match = verify(load_record(file))
    assert match.game is later
    assert match.position.options.begins == "first"  # type: ignore[attr-defined]
    assert match.events[3].seat == 0


class NarrowOptions(NimOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Another version 2: who begins matters only to four, and with three heaps are as large as by default."""

    largest: Annotated[int, msgspec.Meta(ge=1, le=9)] = 6
    begins: Literal["first", "last"] = "last"
    details: ClassVar = {
        "begins": Detail(since=2, before="first", only_with={"players": (4,)}),
        "largest": Detail(only_with={"players": (2, 4)}),
    }


@pytest.mark.parametrize(("players", "largest"), [(2, 4), (3, 6)])
def test_options_without_effect_do_not_invalidate_old_records(players: int, largest: int) -> None:
    recorded = {"players": players, "largest": 4}
    options = read_recorded_options(NarrowOptions, recorded, version=1, latest=2)
    assert (options.begins, options.largest) == ("last", largest)
    with pytest.raises(OptionError, match="can only be changed if players is"):
        read_recorded_options(NarrowOptions, recorded | {"begins": "first"}, version=2, latest=2)


def test_there_are_old_records_with_and_without_a_version() -> None:
    headers = [json.loads(file.read_text("utf-8").split("\n")[0]) for file in OLD_FILES]
    assert {header.get("rules") for header in headers} == {None, 1}
    assert {header["threespan"] for header in headers} == {1, 2}


def test_an_old_record_written_again_names_the_rules_of_today(later: LaterNim) -> None:
    written = write_record(replay(load_record(OLD_FILES[0])))
    header = json.loads(written.split("\n")[0])
    assert header["rules"] == later.version
    assert header["options"]["begins"] == "first"
    verify(read_record(written))


def test_a_new_match_is_played_by_the_new_rules(later: LaterNim) -> None:
    match = finished(later, players=3)
    assert match.events[3].seat == 2
    verify(read_record(write_record(match)))


@pytest.mark.usefixtures("later")
@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"rules": 3}, "version 3 of the rules of nim is unknown; known versions are 1 to 2"),
        ({"rules": 0}, "version 0 of the rules of nim is unknown"),
        ({"rules": "2"}, "line 1: "),
        ({"rules": 1}, "option begins was added in version 2 of the rules, but this is version 1"),
        ({"options": {"players": 2, "largest": 5}}, "option begins is missing; version 2 of the rules has it"),
        ({"threespan": 1}, "line 1: "),
        ({"threespan": 3}, "version 3 of the format is unknown; known versions are 1 to 2"),
        ({"threespan": None}, "line 1: 'threespan', the version of the format, must be a whole number"),
        ({"threespan": "2"}, "line 1: 'threespan', the version of the format, must be a whole number"),
        ({"threespan": 2.5}, "line 1: 'threespan', the version of the format, must be a whole number"),
    ],
)
def test_a_header_that_does_not_fit_its_version_is_refused(values: dict[str, Any], reason: str) -> None:
    text = write_record(finished(LaterNim(), players=2))
    with pytest.raises(RecordError, match=reason):
        verify(read_record(changed(text, **values)))


def test_a_first_line_without_a_version_of_the_format_is_refused() -> None:
    with pytest.raises(RecordError, match="this is not a record"):
        read_record('{"game": "nim"}\n')

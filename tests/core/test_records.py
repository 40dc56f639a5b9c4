"""Records can be written, read and verified, and errors name the line."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from threespan.core.chance import MatchSeed, commitment
from threespan.core.match import Match
from threespan.core.options import read_options
from threespan.core.record import RecordError, load_record, read_record, replay, verify, write_record
from threespan.games.hashi.game import GAME
from threespan.testing.matches import random_match

GOLDEN = Path(__file__).parents[1] / "golden"
TEXT = (GOLDEN / "hashi" / "two-a.jsonl").read_text("utf-8")
LINES = TEXT.splitlines()
OPTIONS = json.loads(LINES[0])["options"]


def changed(line: int, **values: Any) -> str:
    """The golden record with changed values in one line (counted from 1; negative from the end)."""
    lines = list(LINES)
    at = line - 1 if line > 0 else line
    lines[at] = json.dumps(json.loads(lines[at]) | values)
    return "\n".join(lines) + "\n"


def refusal(text: str) -> str:
    with pytest.raises(RecordError) as refused:
        verify(read_record(text))
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_a_good_record_is_valid() -> None:
    match = verify(read_record(TEXT))
    assert match.position.is_over
    written = write_record(match)
    assert written.splitlines()[1:] == LINES[1:]
    assert write_record(verify(read_record(written))) == written


END = len(LINES)
DO = json.loads(LINES[1])["do"]
SECRET = json.loads(LINES[-1])["secret"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the record is empty"),
        ("\n", "line 1: "),
        ("hello\n", "line 1: "),
        ("[]\n", "line 1: "),
        (TEXT[:-20], f"line {END}: the record is cut off in the middle of this line"),
        ("\n".join(LINES[:30]) + "\n", "line 30: the record ends here, before the match is over"),
        ("\n".join(LINES[:-2]) + "\n", f"line {END - 1}: the outcome is missing"),
        ("\n".join(LINES[:-1]) + "\n", f"line {END}: the seed is missing"),
        (TEXT + LINES[-1] + "\n", f"line {END + 1}: nothing may follow the seed"),
        (changed(1, threespan=99), "line 1: version 99 of the format is unknown"),
        (changed(1, game="chess"), "line 1: there is no game 'chess'"),
        (changed(1, options=OPTIONS | {"players": 7}), "line 1: option players: "),
        (changed(1, options=OPTIONS | {"colour": "red"}), "line 1: there is no option 'colour'"),
        (changed(1, options={"players": 2}), "line 1: option side is missing; version 1 of the rules has it"),
        (changed(1, seats=["only one"]), "line 1: 1 names for 2 players"),
        (changed(1, material={}), "line 1: the material has no board"),
        (changed(1, shares=["xyz"]), "line 1: the share is not in hexadecimal"),
        (changed(1, surprise=1), "line 1: "),
        (changed(2, do="write 99 3"), "line 2: there is no island at 99"),
        (changed(2, do="fly"), "line 2: 'fly' is not an action"),
        (changed(2, do=DO + " "), f"line 2: '{DO} ' must be written '{DO}'"),
        (changed(2, do=DO.replace(" ", "  ")), f"must be written '{DO}'"),
        (changed(2, do="write 01 3"), "line 2: write 01 3: START_NUMBER"),
        (TEXT.replace('"options":{', '"options":{"x":' + "[" * 2000 + "]" * 2000 + ","), "nested too deeply"),
        (TEXT.replace('"options":{', '"options":{"players":2,', 1), "line 1: the key 'players' occurs twice"),
        (TEXT.replace('"players":2', '"players":2' + "0" * 5000), "line 1: a number has too many digits"),
        (TEXT.replace('"players":2', '"players":[]'), "line 1: option players: list is not allowed"),
        (changed(1, options=OPTIONS | {"players": "2"}), "line 1: option players: 2 is not allowed"),
        (changed(1, options=OPTIONS | {"players": 2.0}), "line 1: option players: 2.0 is not allowed"),
        (changed(1, options=OPTIONS | {"players": True}), "line 1: option players: true is not allowed"),
        (changed(1, options=OPTIONS | {"players": float("nan")}), "line 1: "),
        (changed(2, seat=4), "line 2: there is no seat 4"),
        (changed(2, seat=3), "line 2: there is no seat 3"),
        (changed(2, seat=-1), "line 2: there is no seat -1"),
        (changed(2, seat="nobody"), "line 2: "),
        (changed(-2, scores=[61, 18]), f"line {END - 1}: scores [61, 18] are wrong: the match gives"),
        (changed(-2, ranks=[2, 2]), f"line {END - 1}: ranks [2, 2] are wrong"),
        (changed(-2, resigned=[2]), f"line {END - 1}: there is no seat 2, so it cannot have resigned"),
        (changed(-2, resigned=[-1]), f"line {END - 1}: there is no seat -1, so it cannot have resigned"),
        (changed(-2, resigned=[1]), f"line {END - 1}: seat 1 cannot have resigned last: that would have ended"),
        (changed(-2, resigned=[0, 1]), f"line {END - 1}: seat 1 cannot have resigned: the match was over"),
        (changed(-2, resigned=["0"]), f"line {END - 1}: "),
        (changed(-2, resigned=None), f"line {END - 1}: "),
        (changed(-1, secret="00" * 32), f"line {END}: the seed does not match the commitment"),
        (changed(-1, salt="zz"), f"line {END}: the salt is not in hexadecimal"),
        (changed(-1, secret=" " + SECRET), f"line {END}: the secret is not in hexadecimal"),
        (changed(-1, secret=SECRET.upper()), f"line {END}: the secret is not in hexadecimal"),
    ],
)
def test_a_bad_record_is_refused_with_its_line(text: str, reason: str) -> None:
    assert reason in refusal(text)


def resigned(players: int, *seats: int, events: int = 20) -> list[str]:
    """The record of a match of Hashi in which some seats have resigned after random play."""
    *_, match = random_match(GAME, read_options(GAME.options, {"players": players}), seed=1, stop_after=events)
    match.let_chance_act()
    for seat in seats:
        match.resign(seat)
    return write_record(match).splitlines()


def with_outcome(lines: list[str], **values: Any) -> str:
    """The record with a changed outcome."""
    outcome = json.dumps(json.loads(lines[-2]) | values)
    return "\n".join([*lines[:-2], outcome, lines[-1]]) + "\n"


@pytest.mark.parametrize(
    ("players", "seats", "ranks"),
    [(1, [0], [1]), (2, [1], [1, 2]), (2, [0], [2, 1]), (3, [2, 0], [2, 1, 3]), (4, [1, 3, 0], [2, 4, 1, 3])],
)
def test_the_record_of_a_match_ended_by_resignations_is_valid(players: int, seats: list[int], ranks: list[int]) -> None:
    text = "\n".join(lines := resigned(players, *seats)) + "\n"
    match = verify(read_record(text))
    assert (match.resigned, match.outcome()[1], match.acting()) == (seats, ranks, [])
    assert not match.position.is_over
    assert write_record(match) == text
    assert json.loads(lines[-2])["resigned"] == seats


def test_a_seat_that_resigns_ranks_behind_those_that_play_on() -> None:
    *_, match = random_match(GAME, read_options(GAME.options, {"players": 4}), seed=3)
    by_rules = match.position.outcome()[1]
    best = by_rules.index(1)
    match.resigned = [best]
    ranks = match.outcome()[1]
    assert ranks[best] == 4
    others = [seat for seat in range(4) if seat != best]
    assert min(ranks[seat] for seat in others) == 1
    assert sorted(others, key=lambda seat: ranks[seat]) == sorted(others, key=lambda seat: by_rules[seat])
    lines = write_record(match).splitlines()
    verify(read_record("\n".join(lines) + "\n"))
    assert f"ranks {by_rules} are wrong: the match gives {ranks}" in refusal(with_outcome(lines, ranks=by_rules))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"resigned": []}, "there is an outcome, but the match is not over"),
        ({"resigned": [2]}, "there is an outcome, but the match is not over"),
        ({"resigned": [2, 2]}, "seat 2 cannot have resigned twice"),
        ({"resigned": [2, 0, 1]}, "seat 1 cannot have resigned: the match was over"),
        ({"resigned": [0, 2]}, "ranks [2, 1, 3] are wrong: the match gives [3, 1, 2]"),
        ({"resigned": [2, 7]}, "there is no seat 7"),
    ],
)
def test_a_false_resignation_is_refused(change: dict[str, Any], reason: str) -> None:
    assert reason in refusal(with_outcome(resigned(3, 2, 0), **change))


def test_nobody_resigns_while_chance_acts() -> None:
    lines = resigned(2, 1, events=60)
    last = max(at for at, line in enumerate(lines) if '"chance"' in line)
    assert "seat 1 cannot have resigned here: chance acts first" in refusal(
        "\n".join([*lines[:last], *lines[-2:]]) + "\n"
    )


def test_a_tampered_card_is_found_by_the_seed() -> None:
    line = next(number for number, text in enumerate(LINES, 1) if '"chance"' in text)
    card = json.loads(LINES[line - 1])["do"]
    other = next(kind for kind in ("card 6/3", "card 1/1") if kind != card)
    assert f"line {line}: chance did '{other}', but the seed gives '{card}'" in refusal(changed(line, do=other))


def test_a_forged_seed_with_a_forged_commitment_is_found_by_the_cards() -> None:
    secret = bytes(32)
    lines = changed(-1, secret=secret.hex(), salt="").splitlines()
    lines[0] = json.dumps(json.loads(lines[0]) | {"commitment": commitment(secret, b"")})
    assert "but the seed gives" in refusal("\n".join(lines) + "\n")


def test_a_share_changes_all_chance_events() -> None:
    assert "but the seed gives" in refusal(changed(1, shares=["ab", "cd"]))


def test_shares_are_part_of_the_seed() -> None:
    plain = MatchSeed.of("x")
    shared = [
        MatchSeed(plain.secret, plain.salt, shares) for shares in ((b"a", b"b"), (b"b", b"a"), (b"ab",), (b"ab", b""))
    ]
    draws = {tuple(seed.ticket(index, 10**6) for index in range(4)) for seed in [plain, *shared]}
    assert len(draws) == 5
    assert {seed.commitment for seed in shared} == {plain.commitment}


def test_the_generator_never_changes() -> None:
    """Old matches depend on these numbers; see docs/record.md."""
    seed = MatchSeed(b"secret", b"salt", (b"ada", b"ben"))
    assert [seed.ticket(index, 18) for index in range(8)] == [3, 12, 7, 12, 16, 14, 5, 6]
    assert seed.commitment == "4b8ce674f2a2e85e5a825b492e443f777d4d3372a6eab4ec1dd8aa0ab0333546"


def test_an_unfinished_record_can_be_replayed() -> None:
    part = read_record("\n".join(LINES[:30]) + "\n")
    assert len(replay(part).events) == 29
    assert not verify(part, unfinished=True).position.is_over


def test_a_live_match_keeps_its_secret() -> None:
    options = read_options(GAME.options, {"players": 2})
    *_, match = random_match(GAME, options, seed=1, stop_after=20)
    text = write_record(match)
    assert match.seed.secret.hex() not in text
    assert match.seed.commitment in text


def test_a_match_can_be_replayed_to_any_event() -> None:
    match = verify(read_record(TEXT))
    for events in (0, 1, 17, len(match.events)):
        earlier = match.replayed_to(events)
        assert earlier.events == match.events[:events]
    assert earlier.position.state.tobytes() == match.position.state.tobytes()


def test_a_record_carries_its_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    board = tmp_path / "hashi" / "boards" / "mine.toml"
    board.parent.mkdir(parents=True)
    side_a = (GAME.folder / "boards" / "A.toml").read_text("utf-8")
    board.write_text(side_a.replace('"04"', '"05"'), "utf-8")
    monkeypatch.setenv("THREESPAN_MATERIAL", str(tmp_path))
    *_, match = random_match(GAME, read_options(GAME.options, {"side": "mine"}), seed=4)
    text = write_record(match)
    monkeypatch.delenv("THREESPAN_MATERIAL")
    verify(read_record(text))


def test_a_missing_or_binary_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="No such file"):
        load_record(tmp_path / "none.jsonl")
    (tmp_path / "picture").write_bytes(b"\xff\xd8\xff\x00")
    with pytest.raises(RecordError, match="not a text file"):
        load_record(tmp_path / "picture")


def test_an_endless_file_is_not_a_record() -> None:
    with pytest.raises(RecordError, match="larger than 64 MiB"):
        load_record(Path("/dev/zero"))


def test_many_keys_take_no_longer_than_few() -> None:
    """Twins among a hundred thousand keys are looked for once, not for every key."""
    keys = {f"key{number}": 1 for number in range(100_000)}
    start = time.process_time()
    assert "there is no option 'key0'" in refusal(changed(1, options=OPTIONS | keys))
    assert time.process_time() - start < 5


def test_chance_is_nobodys_to_play() -> None:
    match = Match.new(GAME, read_options(GAME.options, {}), MatchSeed.of("y"))
    assert match.position.acting() == [0]
    with pytest.raises(ValueError, match="NOT_NOW"):
        match.play(4, GAME.parse_action(match.position.state, "card 1/1"))

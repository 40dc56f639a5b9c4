"""The schedule: which bots play, on which seats, with which cards."""

from collections import Counter
from math import comb, factorial

import pytest

from arena.conftest import tournament_of
from threespan.arena.play import play_match
from threespan.arena.tournament import Tournament, code_digest
from threespan.core.errors import UserError


@pytest.mark.parametrize(("bots", "players"), [(1, 1), (2, 2), (3, 3), (4, 4), (4, 2), (5, 3), (3, 1)])
def test_every_table_plays_every_seating_equally_often(bots: int, players: int) -> None:
    seatings = factorial(players)
    tournament = tournament_of([f"bot{number}" for number in range(bots)], players, games=2 * seatings)
    indices = list(tournament.indices())
    assert len(indices) == len(set(indices)) == tournament.matches == 2 * seatings * comb(bots, players)
    counts = Counter(tournament.fixture(index).bots for index in indices)
    assert set(counts.values()) == {2}
    assert len(counts) == seatings * comb(bots, players)


@pytest.mark.parametrize(("bots", "players"), [(2, 2), (3, 3), (4, 4), (4, 2), (5, 3)])
def test_in_every_deal_of_a_table_every_bot_sits_once_on_every_seat(bots: int, players: int) -> None:
    tournament = tournament_of(["random"] * bots, players, games=4 * players)
    seats: Counter[tuple[int, tuple[int, ...], int, int]] = Counter()
    for index in tournament.indices():
        fixture = tournament.fixture(index)
        seats.update((fixture.deal, tuple(sorted(fixture.bots)), bot, seat) for seat, bot in enumerate(fixture.bots))
    assert set(seats.values()) == {1}
    assert len(seats) == 4 * comb(bots, players) * players**2


def test_a_round_robin_gives_every_pair_as_many_matches() -> None:
    tournament = tournament_of(["a", "b", "c", "d"], 2, games=7)
    pairs = Counter(tuple(sorted(tournament.fixture(index).bots)) for index in tournament.indices())
    assert set(pairs.values()) == {7}
    assert len(pairs) == 6


def test_more_matches_leave_the_first_ones_as_they_are() -> None:
    short, long = (tournament_of(["a", "b", "c"], 2, games=games) for games in (5, 9))
    assert set(short.indices()) < set(long.indices())
    assert all(short.fixture(index) == long.fixture(index) for index in short.indices())


def test_tables_share_their_deals_and_rounds_go_on_together() -> None:
    tournament = tournament_of(["a", "b", "c"], 2, games=4)
    deals = [tournament.fixture(index).deal for index in tournament.indices()]
    assert deals == [0] * 6 + [1] * 6


def test_bots_of_one_name_do_not_think_alike() -> None:
    tournament = Tournament.of("hashi", {"players": 1}, ["random", "random"], 0, 1)
    first, second = (play_match(tournament, index).record for index in (0, 1))
    cards = [[line for line in record.splitlines() if '"chance"' in line] for record in (first, second)]
    assert first != second
    assert cards[0] == cards[1]


def test_names_are_told_apart() -> None:
    assert tournament_of(["a", "b", "a"], 2).names == ["a 1", "b", "a 2"]


@pytest.mark.parametrize(
    ("bots", "settings", "reason"),
    [
        (["random"] * 2, {"players": "3"}, "2 bots for 3 players"),
        (["random"] * 5, {}, "option players"),
        (["random", "nobody"], {}, "there is no bot 'nobody'"),
        (["random"], {"side": "C"}, "there is no hashi file 'C'"),
        (["random"], {"colour": "red"}, "there is no option 'colour'"),
    ],
)
def test_invalid_tournaments_are_refused(bots: list[str], settings: dict[str, str], reason: str) -> None:
    with pytest.raises(UserError, match=reason):
        Tournament.of("hashi", settings, bots, 0, 1)


def test_the_command_repeats_the_tournament() -> None:
    tournament = Tournament.of("hashi", {"players": "2", "side": "B"}, ["random"] * 3, 5, 8)
    assert tournament.command == "threespan arena hashi random random random --games 8 --seed 5 -o players=2 -o side=B"
    assert Tournament.of("hashi", {}, ["random"], 0, 1).command == "threespan arena hashi random --games 1 --seed 0"


def test_the_fingerprint_of_the_code_covers_external_games() -> None:
    assert code_digest("hashi") == code_digest("hashi")
    assert code_digest("hashi") != code_digest("nim")

"""Each clause of Pairs at work."""

from pairs.game import GAME
from pairs.rules import Rule
from pairs.state import KEEP, MAX_KEPT
from threespan.core.chance import MatchSeed
from threespan.core.match import Match
from threespan.core.options import read_options


def test_who_holds_too_many_cards_may_not_keep_them_all() -> None:
    match = Match.new(GAME, read_options(GAME.options, {"players": 2}), MatchSeed.of("full hands"))
    seen = set()
    while seats := match.position.acting():
        seat = seats[0]
        is_full = match.position.state.hand_size[seat] > MAX_KEPT
        assert match.position.check(seat, KEEP) == (Rule.TOO_MANY if is_full else Rule.LEGAL)
        seen.add(is_full)
        legal = match.position.legal(seat)
        match.play(seat, KEEP if KEEP in legal else legal[-1])
    assert seen == {False, True}

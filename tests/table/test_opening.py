"""Opening a table, joining, and rematches."""

from typing import Any

import msgspec
import pytest

from table.tables import SHARE, Table, charter, wanted
from threespan.core.chance import MatchSeed
from threespan.core.material import MaterialError
from threespan.core.registry import find_game
from threespan.table import plans
from threespan.table.events import Acted, Joined, Rematched, decode_charter, encode
from threespan.table.match_setup import _set_up, match_setup
from threespan.table.messages.client import Join
from threespan.table.refusals import Refusal
from threespan.table.state import TableState
from threespan.table.viewing import Reader, notices_for


def test_a_charter_has_everything_that_was_agreed() -> None:
    made = charter("hashi", "here", "easy", clock=30, options={"side": "B"}, seed="7")
    assert (made.game, made.clock, made.is_public, made.options["side"]) == ("hashi", 30, False, "B")
    assert made.options["players"] == 2
    assert [(seat.kind, seat.level) for seat in made.seats] == [("here", ""), ("bot", "easy")]
    assert made.material == find_game("hashi").material(match_setup(made).position.options)
    assert made.secret == MatchSeed.of("7").secret.hex()
    assert made.rules_version == find_game("hashi").version
    assert decode_charter(encode(made)) == made


@pytest.mark.parametrize(
    ("game", "seats", "values", "code"),
    [
        ("go", ["here"], {}, "bad_table"),
        ("hashi", ["here"], {"options": {"side": "Z"}}, "bad_table"),
        ("hashi", ["here"], {"options": {"nonsense": 1}}, "bad_table"),
        ("hashi", ["here"], {"options": {"players": 2}}, "wrong_seats"),
        ("hashi", ["easy", "hard"], {}, "nobody_to_play"),
        ("hashi", ["here", "wizard"], {}, "unknown_bot"),
        ("hashi", ["open"], {}, "open_is_public"),
    ],
)
def test_impossible_tables_are_refused(game: str, seats: list[str], values: dict[str, Any], code: str) -> None:
    with pytest.raises(Refusal) as refused:
        plans.new_charter(wanted(game, *seats, **values), MatchSeed.of("1"))
    assert refused.value.code == code


def test_option_errors_are_in_the_players_language() -> None:
    with pytest.raises(Refusal) as refused:
        charter("hashi", "here", options={"nonsense": 1})
    english, german = refused.value.text("en"), refused.value.text("de")
    assert english.startswith("This table cannot be opened: there is no option 'nonsense'")
    assert german.startswith("Dieser Tisch lässt sich nicht eröffnen: ")
    assert english.partition(": ")[2] != german.partition(": ")[2]


def test_material_that_cannot_be_played_opens_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise MaterialError("the board has a hole")

    monkeypatch.setattr(type(find_game("hashi")), "setup", refuse)
    _set_up.cache_clear()
    with pytest.raises(Refusal, match="the board has a hole") as refused:
        charter("hashi", "here", "here")
    assert refused.value.code == "bad_table"


def test_names_have_no_control_characters() -> None:
    assert plans.clean_name("  Ada \n\t of\x00 Line ") == "Ada of Line"


def test_there_is_a_key_for_this_device_and_one_for_each_link() -> None:
    assert plans.key_groups(charter("hashi", "here", "link", "here", "link")) == [(0, 2), (1,), (3,)]
    assert plans.key_groups(charter("hashi", "open", "easy", is_public=True)) == []


def test_a_stored_charter_without_a_version_of_the_rules_is_of_the_first() -> None:
    plain = msgspec.json.decode(encode(charter("hashi", "here")))
    del plain["rules_version"]
    assert decode_charter(msgspec.json.encode(plain)).rules_version == 1


# Joining


def test_everybody_who_joins_is_stored_and_the_last_one_starts_the_match() -> None:
    table = Table("elfer", "link", "easy", "link")
    first = plans.join(table.state, (2,), Join(id="j", name=" Ben\n", share=SHARE))
    assert first == [Joined((2,), "Ben", SHARE)]
    table.happen(first)
    assert (table.state.status, table.state.joined) == ("gathering", {1, 2})
    last = plans.join(table.state, (0,), Join(id="j", share=SHARE))
    assert last[0] == Joined((0,), "", SHARE)
    assert [type(event) for event in last[1:]] == [Acted] * (len(last) - 1)
    assert len(last) > 1  # tiles are dealt
    table.happen(last)
    assert table.state.status == "playing"
    assert table.state.names == ["", "easy", "Ben"]


def test_people_without_a_name_are_guests_in_the_readers_language() -> None:
    table = Table("hashi", "link", "link")
    table.join(0)
    table.join(1, name="Ben")
    assert table.state.names_in("en") == ["Guest 1", "Ben"]
    assert table.state.names_in("de") == ["Gast 1", "Ben"]
    assert table.state.running_match().names == ["Guest 1", "Ben"]  # what a record has
    for seat in (0, 1):
        table.play(seat, table.legal(seat)[0])
    notices = notices_for(table.state, Reader(1, "de"), 0)
    sentences = {notice.seat: notice.sentence for notice in notices}
    assert sentences[0].startswith("Gast 1 schreibt eine ")
    assert sentences[1].startswith("Du schreibst eine ")


def test_chance_depends_on_the_shares_of_all_players() -> None:
    dealt = []
    for share in ("1" * 64, "2" * 64):
        table = Table("elfer", "here", "link")
        table.join(1)
        dealt.append(plans.join(table.state, (0,), Join(id="j", share=share))[1:])
    assert dealt[0] != dealt[1]


def test_nobody_joins_twice_or_without_a_key() -> None:
    table = Table("hashi", "here", "link")
    table.join(0)
    for seats, code in (((0,), "already_joined"), ((), "not_your_seat")):
        with pytest.raises(Refusal) as refused:
            plans.join(table.state, seats, Join(id="j", share=SHARE))
        assert refused.value.code == code


def test_open_seats_are_given_out_one_after_the_other() -> None:
    table = Table("hashi", "open", "here", "open", is_public=True)
    assert plans.find_open_seat(table.state, ()) == 0
    assert plans.find_open_seat(table.state, {0}) == 2
    table.join(2)
    for taken in ({0}, {0, 2}):
        with pytest.raises(Refusal, match="taken"):
            plans.find_open_seat(table.state, taken)


# Rematches


def test_a_rematch_has_the_same_people_and_another_seed() -> None:
    table = Table("hashi", "here", "link", clock=9).join_all()
    with pytest.raises(Refusal) as refused:
        plans.rematch_charter(table.state, "old", (0,), MatchSeed.of("2"))
    assert refused.value.code == "others_play"
    while table.state.acting():
        seat = table.state.acting()[0]
        table.play(seat, table.legal(seat)[-1])
    with pytest.raises(Refusal) as refused:
        plans.rematch_charter(table.state, "old", (), MatchSeed.of("2"))
    assert refused.value.code == "not_your_seat"
    again = plans.rematch_charter(table.state, "old", (0,), MatchSeed.of("2"))
    first = table.state.charter
    kept = msgspec.structs.replace(again, secret=first.secret, salt=first.salt, rematch_of="", seats=first.seats)
    assert kept == first
    assert [(plan.kind, plan.level) for plan in again.seats] == [(plan.kind, plan.level) for plan in first.seats]
    assert (again.rematch_of, again.secret) == ("old", MatchSeed.of("2").secret.hex())
    assert plans.rematch(table.state, (0,), "new") == [Rematched("new")]
    table.happen(plans.rematch(table.state, (0,), "new"))
    assert plans.rematch(table.state, (0,), "third") == []
    assert table.state.rematch == "new"


def test_names_are_kept_in_a_rematch() -> None:
    table = Table("hashi", "here", "link", "easy")
    table.join(0)
    table.join(1, name="Bo")
    while table.state.acting():
        seat = table.state.acting()[0]
        table.play(seat, table.legal(seat)[-1])
    again = TableState(plans.rematch_charter(table.state, "old", (0,), MatchSeed.of("2")))
    assert again.names == table.state.names
    again.apply_row(again.rows_for([Joined((1,), "", SHARE)], at=0)[0])
    assert again.names[1] == "Bo"

"""What people read at a table: whole sentences about what somebody did, prompts said to them, and names."""

import re

import pytest
from playwright.sync_api import expect

from web.browsing import Guest, open_table
from web.conftest import Invite
from web.hands import Mouse
from web.playing import ElferPlayer, HashiPlayer, Player, StegePlayer
from web.test_comfort import retell

# How the sentences about what happened may begin.
ENGLISH = (
    r"You \w+|{bot} \w+s\b|20 tiles are dealt to you|Nobody has an 11|The lot falls on |The new card: |The die shows \d"
    r"|\S+ \d+ comes out of the bag"
)
GERMAN = r"Du \w+t\b|{bot} \w+t\b|Die neue Karte: "
IN_GERMAN = {"locale": "de-DE"}


def told(guest: Guest) -> list[str]:
    """The entries of the list of moves."""
    return [entry.strip() for entry in guest.sees("moves").locator("li").all_inner_texts()]


def name_of_bot(guest: Guest) -> str:
    return guest.sees("player-1").locator(".name").inner_text()


def check_sentences(entries: list[str], beginnings: str) -> None:
    assert entries
    for entry in entries:
        assert re.match(beginnings, entry), f"an odd beginning: {entry}"
        assert re.fullmatch(r"[^{}]+\.", entry), f"no sentence: {entry}"
        assert ": Draw" not in entry


@pytest.mark.parametrize(
    ("game", "player", "steps"), [("hashi", HashiPlayer, 12), ("stege", StegePlayer, 14), ("elfer", ElferPlayer, 10)]
)
def test_the_list_of_moves_tells_who_did_what(invite: Invite, game: str, player: type[Player], steps: int) -> None:
    guest = invite(hurries=True)
    open_table(guest, game, "beginner")
    playing = player(guest, Mouse(guest))
    for _ in range(steps):
        playing.take_step()
    guest.look_until(lambda look: look.is_over or look.is_to_move, "the turn")
    entries, bot = told(guest), name_of_bot(guest)
    check_sentences(entries, ENGLISH.format(bot=bot))
    assert any(entry.startswith("You ") for entry in entries)
    assert any(entry.startswith(f"{bot} ") for entry in entries)


def press(guest: Guest, pattern: str) -> None:
    """Press the first thing that is called like this, once there is one, and wait for the answer."""
    before = guest.look_until(lambda look: look.named(pattern) and not look.is_busy, pattern)
    Mouse(guest).press(before.named(pattern)[0])
    guest.look_until(lambda look: look.differs_from(before) and not look.is_busy, f"an answer to {pattern}")


def test_a_round_of_hashi_in_german(invite: Invite) -> None:
    guest = invite(hurries=True, **IN_GERMAN)
    open_table(guest, "hashi", "beginner")
    expect(guest.sees("prompt")).to_have_text("Schreibe eine 3 oder 4 auf eine Insel ohne Fahne.")
    press(guest, "hier kannst du die")
    press(guest, "^Fertig")
    guest.look_until(lambda look: look.prompt.startswith("Schreibe die"), "a card")
    expect(guest.sees("prompt")).to_have_text(re.compile(r"^Schreibe die \d auf eine Insel oder lass sie aus\.$"))
    press(guest, "hier kannst du die")
    first = guest.look_until(lambda look: look.prompt.startswith("Zeichne"), "bridges").prompt
    assert re.fullmatch(r"Zeichne (1 Brücke|[23] Brücken) oder lass sie aus\.", first)
    expect(guest.sees("undo")).to_have_text("Rückgängig")
    while guest.look().named("hier kannst du bauen"):
        press(guest, "hier kannst du bauen")
    expect(guest.sees("prompt")).to_have_text("Alle Brücken sind gezeichnet. Drücke „Fertig“ oder „Rückgängig“.")
    press(guest, "^Fertig")
    guest.look_until(lambda look: look.is_to_move, "the next round")
    entries, bot = told(guest), name_of_bot(guest)
    check_sentences(entries, GERMAN.format(bot=bot))
    assert any(entry.startswith("Du schreibst eine ") for entry in entries)
    assert any(entry.startswith("Du zeichnest eine Brücke ") for entry in entries)
    assert any(entry.startswith(f"{bot} schreibt eine ") for entry in entries)


def test_all_bridges_are_drawn(invite: Invite) -> None:
    guest = invite(hurries=True)
    open_table(guest, "hashi", "beginner")
    press(guest, "you can write")
    press(guest, "^Done")
    press(guest, "you can write")
    assert re.fullmatch(r"Draw (1 bridge|[23] bridges), or skip\.", guest.look().prompt)
    while guest.look().named("you can build"):
        press(guest, "you can build")
    expect(guest.sees("prompt")).to_have_text("All bridges are drawn. Press Done, or Undo.")


def test_elfer_says_why_so_many_tiles_were_dealt(invite: Invite) -> None:
    guest = invite()
    drawn_in_search = 9

    def search(message: dict[str, object]) -> None:
        """As if nobody had got an 11: the last tiles were drawn until one came."""
        update = message.get("update") or message
        assert isinstance(update, dict)
        dealt = [notice for notice in update.get("notices", []) if notice["group"] == "deal"]
        for notice in dealt[-drawn_in_search:]:
            notice["group"] = "search"

    retell(guest, search)
    open_table(guest, "elfer", "beginner")
    expect(guest.sees("moves")).to_contain_text("11 tiles are dealt to you.")
    # In a few deals really nobody has an 11, so there are more than the nine.
    because = re.compile(r"Nobody has an 11, so all draw in turn until one comes. Tiles you draw: (9|[1-3]\d)\.")
    expect(guest.sees("moves")).to_contain_text(because)


def test_those_without_a_name_are_guests_in_everybodys_language(invite: Invite) -> None:
    ada, bo = invite(), invite(**IN_GERMAN)
    open_table(ada, "stege", "link")
    bo.visit(ada.sees("seat-link").input_value().removeprefix(bo.base))
    bo.press("Platz nehmen")
    expect(ada.sees("player-0")).to_contain_text("You")
    expect(ada.sees("player-1")).to_contain_text("Guest 2")
    expect(bo.sees("player-0")).to_contain_text("Gast 1")
    expect(bo.sees("player-1")).to_contain_text("Du")
    starts = re.compile(r"^\s*(You start|Guest 2 starts)\.\s*$")
    expect(ada.sees("moves").locator("li").first).to_have_text(starts)
    expect(bo.sees("moves").locator("li").first).to_have_text(re.compile(r"^\s*(Du beginnst|Gast 1 beginnt)\.\s*$"))
    waiting = [guest for guest in (ada, bo) if not guest.look().is_to_move]
    assert len(waiting) == 1
    expect(waiting[0].sees("prompt")).to_have_text(re.compile("^(Waiting for Guest 2|Warten auf Gast 1) …$"))


def test_a_replay_speaks_to_whoever_played(invite: Invite, finished: str) -> None:
    stranger = invite()
    stranger.visit(f"{finished}/replay/1")
    expect(stranger.sees("replay-said")).to_have_text(re.compile("^Guest 1 writes a "))

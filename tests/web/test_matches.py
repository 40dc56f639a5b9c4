"""Whole matches against bots, as people play them: by mouse, by keyboard, with a finger on a phone or a tablet."""

from typing import Any

import pytest

from web.browsing import DESKTOP, PHONE, SCREENS, open_table
from web.conftest import Invite
from web.hands import Finger, Keys, Mouse
from web.playing import PLAYERS, QUICK

# Stege goes on until somebody is home, so there a bot plays that gets there soon.
LEVELS = {"hashi": "beginner", "stege": "medium", "elfer": "beginner"}
HANDS: dict[str, tuple[Any, dict[str, Any]]] = {
    "mouse": (Mouse, DESKTOP),
    "keyboard": (Keys, DESKTOP),
    "touch": (Finger, PHONE),
    "tablet": (Finger, SCREENS["tablet"]),
}


@pytest.mark.parametrize("game", ["hashi", "stege", "elfer"])
@pytest.mark.parametrize("hand", list(HANDS))
def test_a_whole_match_against_a_bot(invite: Invite, game: str, hand: str) -> None:
    kind, screen = HANDS[hand]
    guest = invite(hurries=True, **screen)
    open_table(guest, game, LEVELS[game], options=QUICK[game])
    PLAYERS[game](guest, kind(guest)).play_to_the_end()
    sheet = guest.sees("result")
    assert sheet.get_by_text("Rank 1").count() >= 1
    assert guest.sees("table").get_attribute("data-status") == "over"

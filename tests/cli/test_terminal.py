"""Playing in the terminal, as conversations."""

import random
import re
from pathlib import Path

import pytest

from cli.conftest import Run
from threespan.core.game import Position
from threespan.core.record import load_record, replay, verify
from threespan.terminal import Session

PLAY = ("play", "hashi", "--solo", "--seed", "5")


def saved(tmp_path: Path, name: str = "hashi-1-0.jsonl") -> Path:
    return tmp_path / "state" / name


def test_a_turn_is_final_only_when_enter_is_pressed(run: Run, tmp_path: Path) -> None:
    run(*PLAY, typed="write 03 4\n")
    assert len(replay(load_record(saved(tmp_path))).events) == 0
    answer = run(*PLAY, typed="\n")
    assert "Going on where you left off" in answer.out
    events = replay(load_record(saved(tmp_path))).events
    assert [event.text for event in events] == ["write 03 4", "card 5/2"]


def test_a_match_goes_on_after_a_break_with_its_draft(run: Run, tmp_path: Path) -> None:
    run(*PLAY, typed="write 03 4\n\nwrite 14 5\nquit\n")
    answer = run(*PLAY, typed="bridge 03-04\nbridge 03-04\n\nquit\n")
    assert "The match is kept" in answer.out
    events = [event.text for event in replay(load_record(saved(tmp_path))).events]
    assert events[2:5] == ["write 14 5", "bridge 03-04", "bridge 03-04"]


def test_undo_within_the_turn(run: Run, tmp_path: Path) -> None:
    typed = "undo\nwrite 03 4\nundo\nwrite 10 3\n\nwrite 14 5\nundo\nskip\nskip\nundo\nskip\n\nquit\n"
    answer = run(*PLAY, typed=typed)
    assert "Nothing to take back" in answer.out
    events = [event.text for event in replay(load_record(saved(tmp_path))).events]
    assert events[:4] == ["write 10 3", "card 5/2", "skip", "skip"]


def test_what_is_revealed_cannot_be_taken_back(run: Run) -> None:
    answer = run(*PLAY, typed="write 03 4\n\nundo\nquit\n")
    assert "Nothing to take back" in answer.out


def test_short_forms_help_and_reasons(run: Run) -> None:
    typed = "?\nw 03\nwrite 03 4\n\nw 1\n? CROSSING\n? write 03 5\n? skip\nzzz\nbridge 03-04\nrules\nquit\n"
    answer = run(*PLAY, typed=typed)
    assert "Possible now:" in answer.out
    assert "That could be: write 03 3, write 03 4" in answer.out
    assert "Bridges never cross: A bridge may not cross another bridge." in answer.out
    assert "ISLAND_TAKEN: This island already has its number." in answer.out
    assert "skip is possible." in answer.out
    assert "'zzz' is not an action of this game" in answer.out
    assert "NOT_NOW" in answer.out
    assert "# Hashi" in answer.out


def test_it_speaks_german(run: Run) -> None:
    answer = run(*PLAY, "--language", "de", typed="write 01 3\nquit\n")
    assert "Schreibe eine 3 oder 4 auf eine Insel ohne Fahne." in answer.out
    assert "Die Startzahl ist eine 3 oder 4" in answer.out
    assert "Die Partie ist gespeichert" in answer.out


def test_new_starts_afresh(run: Run, tmp_path: Path) -> None:
    run(*PLAY, typed="write 03 4\n\nquit\n")
    run(*PLAY, "--new", typed="quit\n")
    assert replay(load_record(saved(tmp_path))).events == []


def test_a_match_with_other_options_is_not_overwritten(run: Run) -> None:
    run(*PLAY, typed="write 03 4\n\nquit\n")
    answer = run(*PLAY, "-o", "side=B", typed="quit\n")
    assert answer.code == 2
    assert "--new starts afresh" in answer.err


def test_a_broken_save_is_not_lost_silently(run: Run, tmp_path: Path) -> None:
    run(*PLAY, typed="write 03 4\n\nquit\n")
    saved(tmp_path).write_text(saved(tmp_path).read_text()[:-9])
    answer = run(*PLAY, typed="quit\n")
    assert answer.code == 2
    assert "cut off" in answer.err
    assert saved(tmp_path).exists()


def test_a_whole_match_is_played_scored_and_recorded(run: Run, tmp_path: Path) -> None:
    typed = "write 03 4\n\n" + "skip\nskip\n\n" * 17
    answer = run(*PLAY, typed=typed)
    assert "total, rank 1" in answer.out
    assert "Plank carrier" in answer.out
    assert re.search(r"Whoever knew all cards could have scored (between \d+ and )?(54|56|58|60)\.", answer.out)
    record = next((tmp_path / "state" / "records").glob("hashi-*.jsonl"))
    assert verify(load_record(record)).position.outcome() == ([0], [1])
    assert not saved(tmp_path).exists()


def test_hot_seat_covers_the_screen_between_people(run: Run) -> None:
    answer = run("play", "hashi", "--players", 2, "--seed", "1", typed="write 03 4\n\n\nquit\n")
    assert "It is the turn of Player 1." in answer.out  # nothing is secret yet
    assert "Pass the device to Player 2" in answer.out
    after = answer.out.split("Pass the device to Player 2")[1]
    assert "write 03 4" not in after
    assert "(4)" not in after


@pytest.mark.parametrize(("code", "action"), [("hashi", "write 03 4"), ("stege", "lay 5,5 across")])
def test_a_person_against_a_bot_that_thinks(run: Run, tmp_path: Path, code: str, action: str) -> None:
    run("play", code, "--players", 2, "--bot", "easy", "--seed", "3", typed=f"{action}\n\n{action}\n\nquit\n")
    match = replay(load_record(saved(tmp_path, f"{code}-2-1.jsonl")))
    assert match.names == ["Player 1", {"hashi": "Mio (easy)", "stege": "Kalle (easy)"}[code]]
    assert {event.seat for event in match.events} >= {0, 1}


def test_a_person_against_a_bot(run: Run, tmp_path: Path) -> None:
    answer = run("play", "hashi", "--players", 2, "--bot", "random", typed="write 03 4\n\nskip\nskip\n\nquit\n")
    assert "Pass the device" not in answer.out
    match = replay(load_record(saved(tmp_path, "hashi-2-1.jsonl")))
    assert match.names == ["Player 1", "Quint (random)"]
    assert match.position.state.round_number == 2


def test_bots_are_introduced(run: Run) -> None:
    answer = run(
        "play", "hashi", "--players", 3, "--bot", "easy", "--bot", "expert", "--language", "de", typed="quit\n"
    )
    assert "Mio (leicht): Eine junge Möwe" in answer.out
    assert "Alba (Profi): Ein Albatros" in answer.out


@pytest.mark.parametrize("seed", range(3))
def test_random_typing_never_breaks_it(run: Run, seed: int) -> None:
    chooser = random.Random(seed)
    words = ["write", "bridge", "skip", "undo", "?", "03", "14", "3", "4", "03-04", "", "??", "[red]", "\x1b", "é"]
    lines = [" ".join(chooser.choices(words, k=chooser.randint(0, 3))) for _ in range(300)]
    answer = run(*PLAY, typed="\n".join(lines) + "\n")
    assert answer.code == 0


def test_a_game_from_elsewhere_plays_in_the_terminal(run: Run) -> None:
    """docs/add-a-game.md: a folder with its rooms is enough."""
    typed = "\n".join(["take 9 from 1", *["take 1 from 1", "take 1 from 2", "take 1 from 3"] * 20])
    answer = run("play", "nim", "--players", 2, "--bot", "random", "--seed", "2", typed=typed.replace("\n", "\n\n"))
    assert "TOO_MANY: The heap has fewer stones." in answer.out
    assert "total, rank 1" in answer.out


@pytest.mark.parametrize("code", ["hashi", "stege", "elfer"])
def test_two_people_play_a_whole_match_on_one_screen(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: str
) -> None:
    """Both press random keys that happen to be legal actions, change their minds now and then, and press Enter."""
    chooser = random.Random(7)

    def answer(_: Session, draft: Position, seat: int, is_finished: bool) -> str:
        if chooser.random() < 0.05:
            return "undo"
        return "" if is_finished else draft.game.action_text(draft.state, chooser.choice(draft.legal(seat)))

    monkeypatch.setattr(Session, "ask", answer)
    monkeypatch.setattr(Session, "show", lambda *_: None)
    played = run("play", code, "--players", 2, "--seed", "8", typed="\n" * 5000)
    assert "rank 1" in played.out
    assert ("Pass the device" in played.out) == (code != "stege")  # in Stege there is nothing to hide
    record = next((tmp_path / "state" / "records").glob(f"{code}-*.jsonl"))
    assert verify(load_record(record)).position.is_over

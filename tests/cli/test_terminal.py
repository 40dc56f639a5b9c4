"""Playing in the terminal."""

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
    assert "Resuming your match" in answer.out
    events = replay(load_record(saved(tmp_path))).events
    assert [event.action_text for event in events] == ["write 03 4", "card 5/2"]


def test_a_match_is_resumed_with_its_draft(run: Run, tmp_path: Path) -> None:
    run(*PLAY, typed="write 03 4\n\nwrite 14 5\nquit\n")
    answer = run(*PLAY, typed="bridge 03-04\nbridge 03-04\n\nquit\n")
    assert "The match is saved" in answer.out
    events = [event.action_text for event in replay(load_record(saved(tmp_path))).events]
    assert events[2:5] == ["write 14 5", "bridge 03-04", "bridge 03-04"]


def test_undo_within_the_turn(run: Run, tmp_path: Path) -> None:
    typed = "undo\nwrite 03 4\nundo\nwrite 10 3\n\nwrite 14 5\nundo\nskip\nskip\nundo\nskip\n\nquit\n"
    answer = run(*PLAY, typed=typed)
    assert "There is nothing to undo" in answer.out
    events = [event.action_text for event in replay(load_record(saved(tmp_path))).events]
    assert events[:4] == ["write 10 3", "card 5/2", "skip", "skip"]


def test_nothing_can_be_undone_after_a_revelation(run: Run) -> None:
    answer = run(*PLAY, typed="write 03 4\n\nundo\nquit\n")
    assert "There is nothing to undo" in answer.out


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
    assert "--new starts a new match" in answer.err


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
    assert re.search(r"With all cards known, (between \d+ and )?(54|56|58|60) points were possible\.", answer.out)
    record = next((tmp_path / "state" / "records").glob("hashi-*.jsonl"))
    assert verify(load_record(record)).position.outcome() == ([0], [1])
    assert not saved(tmp_path).exists()


def test_hot_seat_covers_the_screen_between_people(run: Run) -> None:
    answer = run("play", "hashi", "--players", 2, "--seed", "1", typed="write 03 4\n\n\nquit\n")
    assert "It is Player 1's turn." in answer.out  # nothing is hidden yet
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


def newest_record(tmp_path: Path) -> Path:
    return next((tmp_path / "state" / "records").glob("*.jsonl"))


@pytest.mark.parametrize(
    ("language", "words", "asked", "said"),
    [
        ("en", "resign\nyes\n", "does not count", "Player 1 has resigned."),
        ("de", "aufgeben\nja\n", "zählt nicht", "Person 1 hat aufgegeben."),
        ("de", "resign\nyes\n", "zählt nicht", "Person 1 hat aufgegeben."),
    ],
)
def test_a_resigned_solo_match_does_not_count(
    run: Run, tmp_path: Path, language: str, words: str, asked: str, said: str
) -> None:
    answer = run(*PLAY, "--language", language, typed=f"write 03 4\n\n{words}")
    assert asked in answer.out
    assert said in answer.out
    assert "Plank carrier" not in answer.out
    assert verify(load_record(newest_record(tmp_path))).resigned == [0]
    assert not saved(tmp_path).exists()


def test_resigning_needs_a_yes(run: Run, tmp_path: Path) -> None:
    answer = run(*PLAY, typed="resign\n\nwrite 03 4\n\nresign\nno\nquit\n")
    assert "The match is saved" in answer.out
    assert len(replay(load_record(saved(tmp_path))).events) == 2


def test_of_two_the_other_wins(run: Run, tmp_path: Path) -> None:
    answer = run("play", "hashi", "--players", 2, typed="resign\nyes\n")
    assert "Player 2 wins then." in answer.out
    assert verify(load_record(newest_record(tmp_path))).outcome()[1] == [2, 1]


def test_of_three_a_bot_plays_on_after_a_break_too(run: Run, tmp_path: Path) -> None:
    begin = ("play", "hashi", "--players", 3, "--seed", "1")
    answer = run(*begin, typed="resign\nyes\nwrite 03 4\n\nquit\n")
    assert "An easy bot plays on for you" in answer.out
    assert "It is Player 2's turn." in answer.out
    answer = run(*begin, typed="\nresign\nyes\n")
    assert "Player 1 wins then." not in answer.out
    record = verify(load_record(newest_record(tmp_path)))
    assert record.resigned[0] == 0
    assert record.outcome()[1][0] == 3
    assert not list((tmp_path / "state").glob("*.resigned"))


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


def test_an_external_game_plays_in_the_terminal(run: Run) -> None:
    """A folder is enough to add a game (docs/add-a-game.md)."""
    typed = "\n".join(["take 9 from 1", *["take 1 from 1", "take 1 from 2", "take 1 from 3"] * 20])
    answer = run("play", "nim", "--players", 2, "--bot", "random", "--seed", "2", typed=typed.replace("\n", "\n\n"))
    assert "TOO_MANY: The heap has fewer stones." in answer.out
    assert "total, rank 1" in answer.out


@pytest.mark.parametrize("code", ["hashi", "stege", "elfer"])
def test_two_people_play_a_whole_match_on_one_screen(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: str
) -> None:
    """Both type random legal actions, sometimes undo, and press Enter."""
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


FREE = (*PLAY, "-o", "pen=free")


def test_mistakes_are_made_checked_and_erased(run: Run, tmp_path: Path) -> None:
    typed = "write 03 4\n\ncheck\nwrite 01 5\ncheck\ndone\n\nerase 01\nCHECK\ndone\n\nquit\n"
    answer = run(*FREE, typed=typed)
    assert answer.out.count("The referee finds no mistake on your board.") == 2
    assert "The referee finds 1 mistake on your board." in answer.out
    assert "The 5 on the island in row 1, column 2: Flags need a bridge." in answer.out
    events = [event.action_text for event in replay(load_record(saved(tmp_path))).events]
    assert events[2:4] == ["write 01 5", "done"]
    assert "erase 01" in events


def test_boards_are_doubted_between_two_rounds(run: Run) -> None:
    starts = ["write 03 4", "", "", "write 03 4", "", ""]
    first_round = ["write 01 5", "done", "", "", "doubt 1", "done", ""]
    second_round = ["", "done", "", "", "doubt 1", "doubt 1", "doubt x", f"doubt {'9' * 5000}", "doubt 2", "quit", ""]
    typed = "\n".join([*starts, *first_round, *second_round])
    answer = run("play", "hashi", "--players", 2, "--seed", "5", "-o", "pen=free", typed=typed)
    assert "A board can be doubted between two rounds" in answer.out
    assert "Yes, there is a mistake on the board of Player 1." in answer.out
    assert "You have already doubted this board" in answer.out
    assert answer.out.count("There is no such board at this table.") == 2
    assert "You cannot doubt your own board." in answer.out


def test_with_the_strict_pen_there_is_nobody_to_ask(run: Run) -> None:
    answer = run(*PLAY, "--language", "de", typed="prüfen\nzweifeln 2\nquit\n")
    assert answer.out.count("An diesem Tisch gibt es keinen Schiedsrichter") == 2

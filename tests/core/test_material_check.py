"""Material that contradicts the options of a match or has unknown parts is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from threespan.core.game import Material, NotationError
from threespan.core.material import MaterialError
from threespan.core.options import option_values, read_options
from threespan.core.record import RecordError, read_record, verify
from threespan.core.registry import find_game
from threespan.table.events import Charter
from threespan.table.match_setup import match_setup

GOLDEN = Path(__file__).parents[1] / "golden"
OTHER_DECK = ["1/1"] * 9 + ["6/3"] * 9


def material_of(code: str, **settings: Any) -> Material:
    game = find_game(code)
    return game.material(read_options(game.options, settings))


CONTRADICTIONS = {
    "hashi side": ("hashi", {"side": "A"}, {"side": "B"}, "option side is A, but 'board' in the material is not"),
    "stege board": ("stege", {"board": "base"}, {"board": "large"}, "option board is base, but 'board'"),
}


@pytest.mark.parametrize(("code", "said", "carried", "reason"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_a_built_in_name_means_the_built_in_file(code: str, said: Any, carried: Any, reason: str) -> None:
    game = find_game(code)
    options = read_options(game.options, said)
    with pytest.raises(MaterialError, match=reason):
        game.check_material(options, material_of(code, **carried))
    game.check_material(options, material_of(code, **said))


def test_every_part_is_compared_with_its_own_option() -> None:
    game = find_game("hashi")
    material = material_of("hashi") | {"cards": OTHER_DECK}
    with pytest.raises(MaterialError, match="option deck is base, but 'cards' in the material is not"):
        game.check_material(read_options(game.options, {}), material)
    game.check_material(read_options(game.options, {"deck": "mine"}), material)
    with pytest.raises(MaterialError, match="option side is B"):
        game.check_material(read_options(game.options, {"side": "B", "deck": "mine"}), material)


def test_the_boards_of_users_are_what_a_match_carries() -> None:
    game = find_game("elfer")
    material = material_of("elfer")
    material["board"]["bridges"][0] = "yellow-red 2"
    game.check_material(read_options(game.options, {"board": "my own"}), material)
    with pytest.raises(MaterialError, match="option board is base"):
        game.check_material(read_options(game.options, {}), material)


@pytest.mark.parametrize("name", ["", "\x00", "a\nb", "../A", "x" * 300])
def test_a_board_has_the_name_of_a_file(name: str) -> None:
    game = find_game("elfer")
    with pytest.raises(MaterialError, match="cannot be the name of a file") as refused:
        game.check_material(read_options(game.options, {"board": name}), material_of("elfer"))
    assert len(str(refused.value)) < 200


def test_the_same_board_in_another_notation_is_accepted() -> None:
    game = find_game("hashi")
    material = material_of("hashi")
    material["board"]["islands"].reverse()
    material["board"]["lines"].reverse()
    game.check_material(read_options(game.options, {}), material)


def changed_header(file: Path, **values: Any) -> str:
    first, rest = file.read_text("utf-8").split("\n", 1)
    return json.dumps(json.loads(first) | values) + "\n" + rest


def test_records_are_refused_for_it() -> None:
    file = GOLDEN / "hashi" / "two-a.jsonl"
    for material, reason in (
        (
            material_of("hashi", side="B"),
            "line 1: option side is A, but 'board' in the material is not what the built-in A has",
        ),
        (material_of("hashi") | {"x": 1}, "line 1: 'x' is not part of the material; its parts are board, cards"),
    ):
        with pytest.raises(RecordError, match=reason):
            verify(read_record(changed_header(file, material=material)))


def test_tables_are_refused_for_it() -> None:
    game = find_game("stege")
    values = option_values(read_options(game.options, {}))
    for material in (material_of("stege", board="small"), material_of("stege") | {"y": []}):
        charter = Charter("stege", values, material, (), False, 0, "", "", rules_version=game.version)
        with pytest.raises(MaterialError):
            match_setup(charter)


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("hashi", "write \u0662\u0661 5"),
        ("hashi", "write 21 \u0665"),
        ("hashi", "bridge 2\uff11-25"),
        ("stege", "lay \u0663,7 down"),
        ("stege", "roll \u0663"),
        ("elfer", "lay red\u0665"),
        ("elfer", "start \u0661"),
    ],
)
def test_the_digits_of_actions_are_those_of_ascii(code: str, text: str) -> None:
    game = find_game(code)
    with pytest.raises(NotationError):
        game.parse_action(game.start(read_options(game.options, {})).state, text)

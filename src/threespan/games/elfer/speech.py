"""Elfer in plain words: its actions and its positions."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from threespan.core.layout import State
from threespan.core.words import Language, load_words
from threespan.games.elfer.material import FOLDER
from threespan.games.elfer.state import COLOURS, ENDS, MAX_DRAWN, MAX_LAID, NUMBERS, SYMBOLS
from threespan.games.elfer.view import Field, Scene, View, scene_of, view_of

WORDS = load_words(FOLDER)
_KEPT_SENTENCES = 4096
_DIGITS = "0123456789"
_PLAIN = ("stop", "keep", "draw", "pass", "skip", "open", "leave")
# The actions that lay a symbol, by their text.
_SYMBOL_LAID = {f"lay {name} {end}": symbol for symbol, name in enumerate(SYMBOLS) for end in ENDS}


# Actions


def sentence(state: State, text: str, language: Language) -> str:
    """An action in its text form as a sentence."""
    symbol = _SYMBOL_LAID.get(text)
    return _sentence(text, "" if symbol is None else _colour_of(state, symbol), language)


def _colour_of(state: State, symbol: int) -> str:
    """The colour of the row that a symbol belongs to: all that a sentence needs to know of the board."""
    return COLOURS[state.colour.item(state.symbol.tolist().index(symbol))]


@lru_cache(_KEPT_SENTENCES)
def _sentence(text: str, row: str, language: Language) -> str:
    match text.split():
        case ["lay", tile]:
            return WORDS.text("sentence.lay", language, tile=tile_name(tile, language))
        case ["lay", joker, colour] if colour in COLOURS:
            place = tile_name(colour + joker.removeprefix("joker"), language)
            return WORDS.text("sentence.lay_joker", language, tile=tile_name(joker, language), place=place)
        case ["lay", symbol, number]:
            place = tile_name(row + number, language)
            return WORDS.text("sentence.lay_symbol", language, tile=tile_name(symbol, language), place=place)
        case ["hand", tile]:
            return WORDS.text("sentence.hand", language, tile=tile_name(tile, language))
        case ["draw", tile]:
            drawn = WORDS.text("sentence.drawn", language, tile=tile_name(tile, language))
            return drawn[0].upper() + drawn[1:]
        case ["start", seat]:
            return WORDS.text("sentence.start", language, number=int(seat) + 1)
        case [plain] if plain in _PLAIN:
            return WORDS.text(f"sentence.{plain}", language)
    return text


def report(state: State, text: str, seat: int, names: Sequence[str], language: Language) -> str:
    """What a seat or chance did, as a whole sentence."""
    match text.split():
        case ["start", starter]:
            return WORDS.report("start_asking" if state.may_leave else "start", language, names[int(starter)])
        case ["draw", tile]:
            key = "report.drawn_symbol" if state.symbols_adjoin and tile in SYMBOLS else "report.drawn"
            drawn = WORDS.text(key, language, tile=tile_name(tile, language))
            return drawn[0].upper() + drawn[1:]
        case ["hand", tile]:
            return _report_handing(tile, names[seat], names[(seat + 1) % len(names)], language)
        case ["lay", tile]:
            return WORDS.report("lay", language, names[seat], tile=_a_tile(tile, language))
        case ["lay", tile, place]:
            return _report_laying(state, tile, place, names[seat], language)
        case [plain] if plain in _PLAIN:
            return WORDS.report(plain, language, names[seat])
    return text


def _report_laying(state: State, tile: str, place: str, name: str, language: Language) -> str:
    """A joker on a row of its number, or a symbol beside a number of its row."""
    if place in COLOURS:
        field = tile_name(place + tile.removeprefix("joker"), language)
        return WORDS.report("lay_joker", language, name, place=field)
    field = tile_name(_colour_of(state, SYMBOLS.index(tile)) + place, language)
    return WORDS.report("lay_symbol", language, name, tile=_a_tile(tile, language), place=field)


def _report_handing(tile: str, name: str, receiver: str, language: Language) -> str:
    """A tile goes to the left neighbour, who may be the one who is told."""
    values = {"tile": _a_tile(tile, language)}
    if not receiver:
        return WORDS.text("report.hand_to_you", language, name=name, **values)
    return WORDS.report("hand", language, name, receiver=receiver, **values)


def _a_tile(tile: str, language: Language) -> str:
    """A tile in the middle of a sentence: `the red 5`, `a joker 13`, `a star`."""
    word = tile.rstrip(_DIGITS)
    return WORDS.text(f"a.{word}", language, number=tile.removeprefix(word))


def tile_name(tile: str, language: Language) -> str:
    """A tile or a number field, given as `red5`, `joker13` or `star`."""
    word = tile.rstrip(_DIGITS)
    name, number = WORDS.text(f"label.{word}", language), tile.removeprefix(word)
    return WORDS.text("label.tile", language, name=name, number=number) if number else name


# Positions


def describe(state: State, seat: int, names: Sequence[str], language: Language) -> list[str]:
    """The moment, the rows, what bridges still offer, the bag, and the racks as far as they are known."""
    scene, view = scene_of(state), view_of(state)
    return [
        *_describe_moment(scene, view, seat, names, language),
        *(_describe_row(scene, view, row, language) for row in range(len(scene.rows))),
        *_describe_symbols(scene, view, language),
        _describe_bonuses(scene, view, language),
        WORDS.text("describe.bag", language, tiles=view.bag_size),
        *(describe_rack(view, owner, seat, names, language) for owner in range(len(view.racks))),
    ]


def describe_round(scene: Scene, view: View, language: Language) -> list[str]:
    """Which round it is, if there are several."""
    values = {"round": view.round, "rounds": scene.rounds}
    return [WORDS.text("describe.round", language, **values)] if scene.rounds > 1 else []


def _describe_moment(scene: Scene, view: View, seat: int, names: Sequence[str], language: Language) -> list[str]:
    lines = describe_round(scene, view, language)
    if view.phase == "over":
        return [*lines, WORDS.text("describe.over", language)]
    if view.turn is not None:
        is_own = view.turn == seat
        turn = WORDS.text("describe.turn", language, name=names[view.turn])
        lines.append(WORDS.text("describe.your_turn", language) if is_own else turn)
    if view.left_opening:
        left = ", ".join(names[seat] for seat in view.left_opening)
        lines.append(WORDS.text("describe.left_opening", language, names=left))
    if view.laid_count:
        lines.append(WORDS.text("describe.laid", language, tiles=view.laid_count, most=MAX_LAID))
    if view.drawn:
        lines.append(WORDS.text("describe.drawn", language, tiles=view.drawn, most=MAX_DRAWN))
    lines += describe_bonus_tile(view, language)
    if view.phase in ("free", "hand"):
        lines.append(WORDS.text(f"describe.{view.phase}", language))
    return lines


def describe_bonus_tile(view: View, language: Language) -> list[str]:
    """The tile that must be laid now, if there is one."""
    if view.bonus_tile is None:
        return []
    return [WORDS.text("describe.bonus_tile", language, tile=tile_name(view.bonus_tile, language))]


def _describe_row(scene: Scene, view: View, row: int, language: Language) -> str:
    """The numbers that lie in a row, and those that adjoin them."""
    columns = {field.text: field.column for field in scene.fields if field.row == row and not _is_symbol_field(field)}
    laid = _runs(sorted(columns[text] for text in view.laid if text in columns))
    inviting = ", ".join(str(columns[text]) for text in view.inviting if text in columns)
    return WORDS.text(
        "describe.row",
        language,
        colour=WORDS.text(f"label.{scene.rows[row].colour}", language),
        laid=laid or WORDS.text("describe.empty", language),
        next=inviting or WORDS.text("describe.nothing", language),
    )


def _is_symbol_field(field: Field) -> bool:
    return field.tile in SYMBOLS


def _runs(numbers: Iterable[int]) -> str:
    """Ascending numbers with runs drawn together: `4, 9–12`."""
    found: list[list[int]] = []
    for number in numbers:
        if found and found[-1][-1] == number - 1:
            found[-1].append(number)
        else:
            found.append([number])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in found)


def _describe_symbols(scene: Scene, view: View, language: Language) -> list[str]:
    """Where symbols lie, if there are any."""
    fields = {field.text: field for field in scene.fields}
    places = [_symbol_place(scene, fields[text], language) for text in view.laid if _is_symbol_field(fields[text])]
    return [WORDS.text("describe.symbols", language, places=", ".join(places))] if places else []


def _symbol_place(scene: Scene, field: Field, language: Language) -> str:
    """A symbol on its field: `star beside blue 20`."""
    number = min(max(field.column, ENDS[0]), NUMBERS)
    place = tile_name(f"{scene.rows[field.row].colour}{number}", language)
    return WORDS.text("describe.symbol", language, tile=tile_name(field.tile, language), place=place)


def _describe_bonuses(scene: Scene, view: View, language: Language) -> str:
    """The bridges whose bonus is still to be had."""
    colours = [WORDS.text(f"label.{row.colour}", language) for row in scene.rows]
    bridges = [scene.bridges[index] for index in view.bonuses]
    places = [f"{colours[bridge.row]}–{colours[bridge.row + 1]} {bridge.column}" for bridge in bridges]
    if places:
        return WORDS.text("describe.bonuses", language, places=", ".join(places))
    return WORDS.text("describe.no_bonuses", language)


def describe_rack(view: View, owner: int, seat: int, names: Sequence[str], language: Language) -> str:
    """How many tiles a rack has, and which are known."""
    rack = view.racks[owner]
    tiles = _tile_list(rack.tiles, language)
    if owner == seat:
        known = tiles or WORDS.text("describe.nothing", language)
        parts = [WORDS.text("describe.your_rack", language, count=rack.size, tiles=known)]
    else:
        parts = [WORDS.text("describe.rack", language, name=names[owner], count=rack.size)]
        if tiles:
            key = "describe.left_over" if view.phase == "over" else "describe.known"
            parts.append(WORDS.text(key, language, tiles=tiles))
    if rack.minus:
        parts.append(WORDS.text("describe.minus", language, points=rack.minus))
    return " ".join(parts)


def describe_score(state: State, seat: int, language: Language) -> str:
    """Which tiles a seat has paid for."""
    tiles = view_of(state).racks[seat].tiles
    if state.rounds > 1:
        key = "all_rounds" if tiles else "earlier_rounds"
    else:
        key = "left_symbols" if set(SYMBOLS) & set(tiles) else "left"
    return WORDS.text(f"score.{key}", language, tiles=_tile_list(tiles, language))


def _tile_list(tiles: Sequence[str], language: Language) -> str:
    """Tiles in groups: `red 4, 5; joker 13, 13; star (2)`."""
    groups: dict[str, list[str]] = {}
    for tile in tiles:
        word = tile.rstrip(_DIGITS)
        groups.setdefault(word, []).append(tile.removeprefix(word))
    return "; ".join(_group_name(word, numbers, language) for word, numbers in groups.items())


def _group_name(word: str, numbers: Sequence[str], language: Language) -> str:
    name = WORDS.text(f"label.{word}", language)
    if word in SYMBOLS:
        return name if len(numbers) == 1 else f"{name} ({len(numbers)})"
    return f"{name} {', '.join(numbers)}"

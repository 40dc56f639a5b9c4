"""What viewers learn about actions (`sees`, `reveals`) must be consistent with what they see (`hide`).

Two different positions are twins for a viewer if they look the same to it. Everything that the viewer is told or shown
must be the same in both; otherwise it would learn something that `hide` keeps from it.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import islice, product
from typing import NamedTuple

import msgspec

from threespan.core.game import Game, Position
from threespan.core.kernel import IS_UNCOMPILED
from threespan.core.options import Options
from threespan.core.picture import picture_of
from threespan.core.rules import CHANCE, LEGAL, WATCHER
from threespan.core.words import LANGUAGES
from threespan.testing.matches import is_same, positions_by_variant, random_match, some_positions, variants
from threespan.testing.subject import Checks, Subject

POSITIONS = 8 if IS_UNCOMPILED else 30
ACTIONS = 8 if IS_UNCOMPILED else 16  # to compare in one position
TWINS = 2 if IS_UNCOMPILED else 4  # to follow in one match
SHOWN = 4  # actions after which everything shown is compared as well
WORLDS = 4  # to deal the hidden part anew in
VARIANTS = 2 if IS_UNCOMPILED else None
MAX_EVENTS = 100 if IS_UNCOMPILED else 200
DRAWS = 3 if IS_UNCOMPILED else 10  # to examine per match
DEALS = 4  # imagined positions to compare
CHECKS = Checks()


class Result(NamedTuple):
    """An action and the position after it."""

    action: int
    action_text: str
    after: Position


class TakenAction(NamedTuple):
    """An action and the position before it."""

    before: Position
    seat: int
    action: int

    def after(self) -> Position:
        """The position after it."""
        position = self.before.copy()
        position.play(self.seat, self.action)
        return position

    def text(self) -> str:
        """The text form of the action."""
        return self.before.game.action_text(self.before.state, self.action)


def results(position: Position, seat: int) -> list[Result]:
    """The results of the legal actions of a seat or CHANCE; a sample if there are many."""
    legal = position.legal(seat)
    found = []
    for action in legal[:: max(1, len(legal) // ACTIONS)]:
        after = position.copy()
        after.play(seat, action)
        found.append(Result(action, position.game.action_text(position.state, action), after))
    return found


def indistinguishable(position: Position, seat: int, action: int, viewer: int) -> list[int]:
    """The other actions that a viewer must not be able to tell apart from this one, since they lead to twins."""
    after = position.copy()
    after.play(seat, action)
    seen = after.observe(viewer)
    return [
        other.action
        for other in results(position, seat)
        if not is_same(other.after, after) and is_same(other.after.observe(viewer), seen)
    ]


def _others(position: Position, seat: int) -> list[int]:
    return [viewer for viewer in (WATCHER, *position.seats) if viewer != seat]


def _name(viewer: int) -> str:
    return "a watcher" if viewer == WATCHER else f"seat {viewer}"


def _moments(game: Game, first_seed: int) -> Iterator[tuple[Position, int]]:
    """Positions, each with a seat that may act."""
    for _, position in positions_by_variant(game, first_seed, POSITIONS, VARIANTS):
        for seat in position.acting():
            yield position, seat


@CHECKS.add_for_kernels
def whoever_acts_is_told(subject: Subject) -> None:
    """A seat sees its own actions."""
    for position, seat in _moments(subject.game, 0):
        if seat != CHANCE:
            for action in position.legal(seat)[:ACTIONS]:
                assert subject.game.sees(position.state, seat, action, seat), f"`sees` hides its own action from {seat}"


@CHECKS.add_for_kernels
def nobody_is_told_what_hide_keeps_from_them(subject: Subject) -> None:
    """A viewer is not told of an action if another action would lead to a twin."""
    sees = subject.game.sees
    for position, seat in _moments(subject.game, 0):
        for viewer in _others(position, seat):
            alike: dict[bytes, list[Result]] = defaultdict(list)
            for result in results(position, seat):
                alike[result.after.observe(viewer).state.tobytes()].append(result)
            for group in alike.values():
                if all(is_same(result.after, group[0].after) for result in group):
                    continue
                told = [result.action_text for result in group if sees(position.state, seat, result.action, viewer)]
                assert not told, (
                    f"`sees` tells {_name(viewer)} of '{told[0]}', but `hide` keeps from it which of "
                    f"{[result.action_text for result in group]} it was; at {position.text()}"
                )


@CHECKS.add_for_kernels
def nobody_is_told_what_chance_could_not_have_drawn_otherwise(subject: Subject) -> None:
    """The last card of a deck is hidden as well: chance has no choice, but in another deal it would be another card."""
    game = subject.game
    for position in _narrowest_draws(game):
        for viewer in _others(position, CHANCE):
            told = [r for r in results(position, CHANCE) if game.sees(position.state, CHANCE, r.action, viewer)]
            if not told:
                continue
            dealt = [position.observe(viewer).imagine(viewer, seed) for seed in range(DEALS)]
            elsewhere = [(deal, result) for deal in dealt for result in results(deal, CHANCE)]
            for result in told:
                seen = result.after.observe(viewer)
                others = [
                    other.action_text
                    for deal, other in elsewhere
                    if deal.check(CHANCE, result.action) != LEGAL and is_same(other.after.observe(viewer), seen)
                ]
                assert not others, (
                    f"`sees` tells {_name(viewer)} of '{result.action_text}', but `hide` keeps from it whether it was "
                    f"that or {others}; at {position.text()}"
                )


def _narrowest_draws(game: Game) -> Iterator[Position]:
    """The positions of random matches in which chance has the fewest choices."""
    for seed, options in enumerate(variants(game)[:VARIANTS], 200):
        positions = some_positions(game, options, seed, MAX_EVENTS)
        draws = [position for position in positions if position.acting() == [CHANCE]]
        yield from sorted(draws, key=lambda position: len(position.legal(CHANCE)))[:DRAWS]


@CHECKS.add_for_kernels
def what_is_not_told_is_not_shown(subject: Subject) -> None:
    """If a viewer is not told of an action of chance, its observation does not reveal it either."""
    sees = subject.game.sees
    for position, seat in _moments(subject.game, 0):
        if seat != CHANCE:
            continue  # others may see that a seat has finished, even if not what it did
        outcomes = results(position, seat)
        for viewer in _others(position, seat):
            untold = [result for result in outcomes if not sees(position.state, seat, result.action, viewer)]
            looks = {result.after.observe(viewer).state.tobytes() for result in untold}
            assert len(untold) < 2 or len(looks) < len(untold), (
                f"`sees` keeps from {_name(viewer)} which of {[result.action_text for result in untold]} chance has "
                f"drawn, but its observation shows it: `hide` forgets something; at {position.text()}"
            )


@CHECKS.add_for_kernels
def being_told_depends_on_nothing_hidden(subject: Subject) -> None:
    """Whether and how a viewer is told of an action does not depend on what is hidden from it."""
    game = subject.game
    for position, seat in _moments(game, 100):
        for viewer in _others(position, seat):
            dealt = position.observe(viewer).imagine(viewer, 1)
            for result in results(position, seat):
                if dealt.check(seat, result.action) != LEGAL:
                    continue
                after = dealt.copy()
                after.play(seat, result.action)
                if not is_same(after.observe(viewer), result.after.observe(viewer)):
                    continue
                one, two = (_telling(TakenAction(p, seat, result.action), viewer) for p in (position, dealt))
                assert one == two, (
                    f"what {_name(viewer)} is told of '{result.action_text}' depends on what is hidden from it"
                )


@CHECKS.add_for_kernels
def what_uncovers_something_is_final(subject: Subject) -> None:
    """If a seat learns something by its own action, chance acts next, or the match is over, or it `uncovers`."""
    for position, seat in _moments(subject.game, 200):
        if seat != CHANCE:
            check_uncovering(position, seat)


def check_uncovering(position: Position, seat: int) -> None:
    """Compare what a seat sees after its actions, here and with the hidden part dealt anew."""
    game = position.game
    for result, number in product(results(position, seat), range(WORLDS)):
        dealt = position.observe(seat).imagine(seat, number)
        other = dealt.copy()
        other.play(seat, result.action)
        uncovers = [game.uncovers(state, seat, result.action) for state in (position.state, dealt.state)]
        assert uncovers[0] == uncovers[1], f"`uncovers` depends on what is hidden; at {position.text()}"
        is_new = not is_same(result.after.observe(seat), other.observe(seat))
        is_final = all(after.acting() in ([], [CHANCE]) for after in (result.after, other))
        assert uncovers[0] or is_final or not is_new, (
            f"seat {seat} could undo '{result.action_text}' after it has learned something by it: "
            f"`uncovers` must return True; at {position.text()}"
        )


def _telling(taken: TakenAction, viewer: int) -> list[str] | None:
    """What a viewer is told of an action, in every language; None if nothing."""
    game, state, text = taken.before.game, taken.before.state, taken.text()
    if not game.sees(state, taken.seat, taken.action, viewer):
        return None
    names = [f"name {seat}" for seat in taken.before.seats]
    told = [game.report(state, text, taken.seat, names, language) for language in LANGUAGES]
    return [text, *told, *(game.sentence(state, text, language) for language in LANGUAGES)]


@CHECKS.add_for_kernels
def twin_matches_tell_and_show_the_same(subject: Subject) -> None:
    """After actions that a viewer cannot tell apart, nothing reveals which it was while the positions look the same."""
    for seed, options in enumerate(variants(subject.game)[:VARIANTS], 70):
        actions = _actions_of_match(subject.game, options, seed)
        pairs = (
            (number, viewer, others[0])
            for number, taken in enumerate(actions)
            for viewer in _others(taken.before, taken.seat)
            if (others := indistinguishable(*taken, viewer))
        )
        for number, viewer, other in islice(pairs, TWINS):
            _follow(actions[number:], other, viewer)


def _actions_of_match(game: Game, options: Options, seed: int) -> list[TakenAction]:
    """A random match as a list of actions with positions."""
    actions: list[TakenAction] = []
    before: Position | None = None
    for match in random_match(game, options, seed, MAX_EVENTS):
        if before is not None:
            event = match.events[-1]
            actions.append(TakenAction(before, event.seat, game.parse_action(before.state, event.action_text)))
        before = match.position.copy()
    return actions


def _follow(actions: list[TakenAction], other: int, viewer: int) -> None:
    """Play a match and its twin, which starts with another action, while a viewer must not tell them apart."""
    first = actions[0]
    twin = TakenAction(first.before, first.seat, other)
    words = f"{_name(viewer)} can tell '{first.text()}' from '{twin.text()}', which `hide` keeps from it: "
    for number, taken in enumerate(actions):
        if number and twin.before.check(taken.seat, taken.action) != LEGAL:
            return
        one, two = taken.after(), twin.after()
        if is_same(one, two) or not is_same(one.observe(viewer), two.observe(viewer)):
            return
        assert _telling(taken, viewer) == _telling(twin, viewer), words + f"by what it is told of '{taken.text()}'"
        if number < SHOWN:
            shown = words + f"by what it is shown after '{taken.text()}'"
            assert _showing(taken, viewer) == _showing(twin, viewer), shown
        assert not taken.before.game.reveals(one.state), words + f"after '{taken.text()}' `reveals` makes it known"
        if number + 1 < len(actions):
            twin = TakenAction(two, actions[number + 1].seat, actions[number + 1].action)


def _showing(taken: TakenAction, viewer: int) -> list[object]:
    """Everything that a viewer is shown after an action."""
    game, after = taken.before.game, taken.after()
    for other in (WATCHER, *after.seats):
        _telling(taken, other)
    seen, names = after.observe(viewer), [f"name {seat}" for seat in after.seats]
    shown: list[object] = [msgspec.json.encode(game.view(seen.state, viewer))]
    for language in LANGUAGES:
        shown.append(game.describe(seen.state, viewer, names, language))
        shown.append(picture_of(game, seen.state, viewer, language).plain)
        if viewer in seen.acting():
            shown.append(game.prompt(seen.state, viewer, language))
            shown += game.action_texts(seen.state, seen.legal(viewer))
    return shown

"""What a seat plays, and what chance does after it, tried out on a copy of the match before anything is stored."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from threespan.core.game import Game, Position
from threespan.core.match import Match
from threespan.core.rules import CHANCE
from threespan.table.events import Acted, TableEvent
from threespan.table.streams import PlayedAction, StreamEntry


class Checkpoint(NamedTuple):
    """The match after an action that made something known, chance's for example; nothing before it can be undone."""

    position: Position
    draws: int


class ActionResult(NamedTuple):
    """An action that was played and its consequences: whether hidden actions become public, and who acts next."""

    played: PlayedAction
    reveals: bool
    acting: list[int]
    checkpoint: Checkpoint | None


@dataclass
class Play:
    """Actions that have been played on a copy of a match."""

    match: Match
    results: list[ActionResult] = field(default_factory=list)

    def events(self) -> list[TableEvent]:
        """The events to store."""
        return [Acted(result.played.seat, result.played.entry.action_text) for result in self.results]


def trial_copy(match: Match) -> Match:
    """A copy of a match to try actions on; its list of events starts empty."""
    return Match(match.position.copy(), match.seed, match.names, [], match.draws)


def play_action(match: Match, seat: int, action: int, viewers: Iterable[int]) -> ActionResult:
    """Play an action in a match, and find out who saw it and what follows from it; raises IllegalAction."""
    position, game, seen_by = match.position, match.game, 0
    for viewer in viewers:
        if game.sees(position.state, seat, action, viewer):
            seen_by |= 1 << (viewer + 1)
    has_paths = seat != CHANCE and type(game).path is not Game.path
    before = position.copy() if has_paths else None
    group = game.notice_group(position.state, seat, action)
    is_final = seat == CHANCE or game.uncovers(position.state, seat, action)
    match.append(seat, action)
    path = game.path(before.state, seat, action) if before is not None else ()
    entry = StreamEntry(seat, match.events[-1].action_text, path=path, group=group)
    played = PlayedAction(seat, entry, seen_by, is_final)
    checkpoint = Checkpoint(position.copy(), match.draws) if is_final else None
    return ActionResult(played, game.reveals(position.state), position.acting(), checkpoint)

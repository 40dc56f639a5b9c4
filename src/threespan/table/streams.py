"""What each viewer of a table knows.

Every viewer (a seat, or WATCHER) has a stream of what has happened, as far as that viewer may know it. Clients count
the entries of their stream, never stored events: no number may reveal how often others have acted unseen.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class StreamEntry(NamedTuple):
    """An action, or the fact that a seat has undone its last `undone` actions."""

    seat: int
    action_text: str
    undone: int = 0
    path: Sequence[str] = ()  # the places that the action passed through, in games that have paths
    group: str = ""  # the key of the text that sums up several such actions, in games that have such texts


class PlayedAction(NamedTuple):
    """An action that has not been undone, and the viewers who saw it (bit 0 is WATCHER, bit n + 1 is seat n)."""

    seat: int
    entry: StreamEntry
    seen_by: int
    is_final: bool  # it made something hidden known, so it cannot be undone

    def was_seen_by(self, viewer: int) -> bool:
        """Whether a viewer saw it."""
        return bool(self.seen_by >> (viewer + 1) & 1)


@dataclass(slots=True)
class NoticeStream:
    """The entries that a viewer knows, each with the sequence number of its event; and those held back for now."""

    entries: list[StreamEntry] = field(default_factory=list)
    sequences: list[int] = field(default_factory=list)
    held_back: list[StreamEntry] = field(default_factory=list)

    def add(self, entry: StreamEntry, sequence: int) -> None:
        """Add an entry that the viewer may know."""
        self.entries.append(entry)
        self.sequences.append(sequence)

    def release_held_back(self, sequence: int) -> None:
        """Add what was held back, ordered by seat so that the order in which they acted stays hidden."""
        for entry in sorted(self.held_back, key=lambda held: held.seat):
            self.add(entry, sequence)
        self.held_back.clear()

    def undo(self, seat: int, undone: Iterable[PlayedAction], viewer: int, sequence: int) -> None:
        """Note that a seat has undone actions the viewer saw, and drop for good those the viewer did not see."""
        seen = [played for played in undone if played.was_seen_by(viewer)]
        if seen:
            self.add(StreamEntry(seat, "", len(seen)), sequence)
        unseen = [id(played.entry) for played in undone if not played.was_seen_by(viewer)]
        self.held_back = [entry for entry in self.held_back if id(entry) not in unseen]

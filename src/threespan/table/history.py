"""Earlier moments: what a viewer of a running match saw before, and the replay of a finished match."""

from collections.abc import Sequence

import msgspec

from threespan.core.match import Match
from threespan.core.rules import WATCHER
from threespan.table.messages.lobby import Replay, ReplayFrame
from threespan.table.messages.shared import encode_message
from threespan.table.refusals import Refusal
from threespan.table.state import TableState
from threespan.table.viewing import Reader


def last_event_seen(state: TableState, viewer: int, notices_seen: int) -> int:
    """The sequence number of the last event when a viewer had seen `notices_seen` notices; raises Refusal."""
    if state.match is None:
        raise Refusal("not_begun")
    sequences = state.streams[viewer].sequences
    if notices_seen > len(sequences):
        raise Refusal("no_such_past")
    last = sequences[notices_seen - 1] if notices_seen else state.start_sequence
    # Events that the viewer did not see belong to the same view as the notice before them: tiles dealt to others, say.
    return max(last, sequences[notices_seen] - 1 if notices_seen < len(sequences) else state.sequence)


def replay_of(
    match: Match, first: int, count: int, reader: Reader, names: Sequence[str], addressed_seat: int = WATCHER
) -> Replay:
    """A part of a finished match as a seat saw it, or as a WATCHER sees it, who may now see everything.

    `addressed_seat` is the seat of the person who looks at the replay, whichever seat's view it shows.
    """
    game, language = match.game, reader.language
    names_or_you = ["" if seat == addressed_seat else name for seat, name in enumerate(names)]
    position = match.replayed_to(min(max(first - 1, 0), len(match.events))).position
    viewer = reader.viewer if reader.viewer in position.seats else WATCHER
    board = position.copy()  # reports need nothing of a state but its board
    frames = []
    for number in range(first, min(first + count, len(match.events) + 1)):
        frame = ReplayFrame(WATCHER, "", msgspec.Raw(), [], "", [])
        if number:
            event = match.events[number - 1]
            action = game.parse_action(position.state, event.action_text)
            path = game.path(position.state, event.seat, action) if event.seat in position.seats else []
            sentence = game.report(board.state, event.action_text, event.seat, names_or_you, language)
            frame = ReplayFrame(event.seat, event.action_text, msgspec.Raw(), [], sentence, [], path)
            position.play(event.seat, action)
        seen = position if viewer == WATCHER else position.observe(viewer)
        frame.view = msgspec.Raw(encode_message(game.view(seen.state, viewer)))
        frame.scores = game.current_scores(position)
        frame.round = game.round_number(position.state)
        frame.lines = game.describe(seen.state, viewer, names, language) if reader.text_mode else []
        frames.append(frame)
    scene = msgspec.Raw(encode_message(game.scene(position.state, position.material)))
    return Replay(len(match.events), first, scene, frames)

"""Pictures of positions depend only on what a seat sees."""

import numpy as np
import pytest

from research.oracle import GAMES, positions_of
from threespan.research.pictures import pixels_of
from threespan.research.spaces import Setting


@pytest.mark.parametrize("code", GAMES)
def test_a_picture_shows_the_board_as_it_changes(code: str) -> None:
    positions = positions_of(Setting(code, {"players": 2}), 1, 8)
    pictures = [pixels_of(position.observe(0), 0) for position in positions]
    assert {(picture.dtype, picture.shape) for picture in pictures} == {(np.dtype(np.uint8), pictures[0].shape)}
    assert len({picture.tobytes() for picture in pictures}) >= len(pictures) // 2
    for picture in pictures:
        colours = picture.astype(np.int64) @ (1 << 16, 1 << 8, 1)
        assert len(np.unique(colours)) > 20


@pytest.mark.parametrize("code", GAMES)
def test_a_picture_does_not_depend_on_what_is_hidden(code: str) -> None:
    for position in positions_of(Setting(code, {"players": 3}), 2, 4):
        seen = position.observe(1)
        dealt = seen.imagine(1, 5).observe(1)
        assert pixels_of(dealt, 1).tobytes() == pixels_of(seen, 1).tobytes()


def test_symbols_have_pictures() -> None:
    for position in positions_of(Setting("elfer", {"players": 4, "symbols": True}), 3, 3):
        assert pixels_of(position.observe(3), 3).shape[2] == 3

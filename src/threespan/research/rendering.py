"""Rendering of environments: text for a terminal, pictures, or printed text."""

from io import StringIO
from typing import Any

from rich.console import Console

from threespan.core.errors import UserError
from threespan.core.picture import picture_of
from threespan.research.episode import Episode
from threespan.research.pictures import pixels_of

RENDER_MODES = ["human", "ansi", "rgb_array"]
_WIDTH = 120


def check_render_mode(mode: str | None) -> str | None:
    """Check a render mode; raises UserError."""
    if mode is not None and mode not in RENDER_MODES:
        raise UserError(f"render_mode is one of {', '.join(RENDER_MODES)}, not '{mode}'")
    return mode


def render(episode: Episode, seat: int, mode: str | None) -> Any:
    """Render what a seat sees: as an array of pixels, as a text, or printed."""
    if mode is None:
        return None
    seen = episode.position().observe(seat)
    if mode == "rgb_array":
        return pixels_of(seen, seat)
    text = StringIO()
    console = Console(file=text, force_terminal=True, color_system="standard", width=_WIDTH)
    console.print(picture_of(seen.game, seen.state, seat, "en"))
    if mode == "ansi":
        return text.getvalue()
    print(text.getvalue())
    return None

"""What environments show: text for a terminal, pictures, or text printed at once."""

from io import StringIO
from typing import Any

from rich.console import Console

from threespan.core.errors import UserError
from threespan.research.episode import Episode
from threespan.research.pictures import picture_of

RENDER_MODES = ["human", "ansi", "rgb_array"]
_WIDTH = 120


def check_render_mode(mode: str | None) -> str | None:
    """A render mode that there is, or none."""
    if mode is not None and mode not in RENDER_MODES:
        raise UserError(f"render_mode is one of {', '.join(RENDER_MODES)}, not '{mode}'")
    return mode


def render(episode: Episode, seat: int, mode: str | None) -> Any:
    """What a seat sees, as the mode asks for: an array of pixels, a text, or nothing but printed text."""
    if mode is None:
        return None
    seen = episode.position().observe(seat)
    if mode == "rgb_array":
        return picture_of(seen, seat)
    text = StringIO()
    console = Console(file=text, force_terminal=True, color_system="standard", width=_WIDTH)
    console.print(seen.game.picture(seen.state, seat, "en"))
    if mode == "ansi":
        return text.getvalue()
    print(text.getvalue())
    return None

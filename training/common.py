"""What all training commands share: their arguments, and small budgets for short runs."""

import argparse
from pathlib import Path


def argument_parser(description: str, out: Path) -> argparse.ArgumentParser:
    """Reads the arguments of a training command: where to write, how much to train, and the seed."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--out", type=Path, default=out, help="the file to write (default: the one that the bots use)")
    parser.add_argument("--scale", type=_share, default=1.0, help="share of the full training, for short runs")
    parser.add_argument("--seed", type=int, default=1)
    return parser


def command_line(module: str, arguments: argparse.Namespace) -> str:
    """The command that makes the same values again, for whoever finds them."""
    scale = "" if arguments.scale == 1 else f" --scale {arguments.scale:g}"
    return f"python -m {module}{scale} --seed {arguments.seed}"


def scaled(count: int, scale: float, least: int = 1) -> int:
    """A part of a count, but at least `least`."""
    return max(least, round(count * scale))


def _share(text: str) -> float:
    share = float(text)
    if not 0 < share <= 1:
        raise argparse.ArgumentTypeError("the scale is a number above 0 and at most 1")
    return share

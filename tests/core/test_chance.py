"""The random generator: known values, uniform outcomes, independent streams."""

import numpy as np
import pytest

from threespan.core.chance import below, new_rng, stream

pytestmark = pytest.mark.kernels


def test_splitmix64_gives_its_published_numbers() -> None:
    """The first outputs for seed 1234567, as printed by the reference implementation; `below` uses the upper half."""
    published = (
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    )
    rng = new_rng(1234567)
    bound = 2**31 - 1
    assert [int(below(rng, bound)) for _ in published] == [(word >> 32) * bound >> 32 for word in published]


def test_outcomes_are_even() -> None:
    rng = new_rng(7)
    counts = np.bincount([below(rng, 6) for _ in range(12_000)], minlength=6)
    assert len(counts) == 6
    assert ((counts - 2000) ** 2 / 2000).sum() < 30


def test_streams_of_one_seed_differ() -> None:
    words = {int(stream(np.uint64(5), index)) for index in range(2000)}
    assert len(words) == 2000

"""Observation tensors match the fields, stay within their bounds and contain nothing hidden."""

from typing import Any

import numba
import numpy as np
import pytest

from research.oracle import OPTION_IDS, OPTIONS, positions_of, tensor_of
from threespan.research.description import NoEnvironment
from threespan.research.spaces import Setting
from threespan.research.tensor import TENSOR_TYPE, memory_of
from threespan.research.vector import observe_all

pytestmark = pytest.mark.kernels

UNCOMPILED = bool(numba.config.DISABLE_JIT)
POSITIONS = 2 if UNCOMPILED else 25
DEALS = 1 if UNCOMPILED else 3
STOP_AFTER = 60 if UNCOMPILED else 10**9
every_option = pytest.mark.parametrize(("code", "options"), OPTIONS, ids=OPTION_IDS)


def observed(setting: Setting, state: Any, seat: int) -> Any:
    states, work = setting.new_states(1), setting.new_states(1)
    states[0] = state
    tensors = np.full((1, setting.plan.size), -99, TENSOR_TYPE)
    viewers = np.full(1, seat, np.int8)
    observe_all(states, work, memory_of(work), setting.plan.runs, viewers, tensors)
    return tensors[0]


@every_option
def test_a_tensor_says_what_the_fields_of_the_observation_say(code: str, options: dict[str, Any]) -> None:
    setting = Setting(code, options)
    low, high = setting.plan.bounds()
    for position in positions_of(setting, 1, POSITIONS, STOP_AFTER):
        for seat in position.seats:
            tensor = observed(setting, position.state, seat)
            assert tensor.tolist() == tensor_of(position, seat, setting)
            assert (low <= tensor).all()
            assert (tensor <= high).all()


@every_option
def test_a_tensor_does_not_depend_on_what_is_hidden(code: str, options: dict[str, Any]) -> None:
    setting = Setting(code, options)
    for position in positions_of(setting, 2, POSITIONS, STOP_AFTER):
        for seat in position.seats:
            tensor = observed(setting, position.state, seat)
            for deal in range(DEALS):
                dealt = position.observe(seat).imagine(seat, deal)
                assert observed(setting, dealt.state, seat).tobytes() == tensor.tobytes()


def test_the_hidden_part_really_changes_in_the_test_above() -> None:
    setting = Setting("elfer", {"players": 2})
    position = positions_of(setting, 3, 4, STOP_AFTER)[-2]
    assert position.observe(0).imagine(0, 1).text() != position.observe(0).imagine(0, 2).text()


def test_parts_have_names_and_shapes() -> None:
    setting = Setting("hashi", {"players": 2})
    position = positions_of(setting, 4, 2, STOP_AFTER)[-1]
    parts = setting.plan.named(observed(setting, position.state, 1))
    assert parts["number"].shape == (2, 18)
    assert (parts["number"][0] == position.state.number[1]).all()
    assert (parts["number"][1] == position.observe(1).state.number[0]).all()
    batch = setting.plan.named(np.zeros((7, setting.plan.size), TENSOR_TYPE))
    assert batch["step"].shape == (7, 2, 4)
    assert sum(int(np.prod(section.shape)) for section in setting.plan.sections) == setting.plan.size


def test_an_unknown_reward_is_refused() -> None:
    with pytest.raises(NoEnvironment, match="reward is 'score' or 'win', not 'glory'"):
        Setting("hashi", {}, "glory")  # type: ignore[arg-type]

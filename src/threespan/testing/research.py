"""A game's DESCRIPTION for environments is true in whole matches."""

import pytest

from threespan.core.registry import find_game_module
from threespan.core.rules import CHANCE
from threespan.research.description import Description, find_description
from threespan.testing.matches import random_match, variants
from threespan.testing.subject import Checks, Subject

CHECKS = Checks()


def description_of(subject: Subject) -> Description:
    """The description of a game that has one."""
    if find_game_module(subject.game.code, "research.games") is None:
        pytest.skip("the game has no environments")
    return find_description(subject.game.code)


@CHECKS.add
def matches_stay_within_the_limits_of_the_description(subject: Subject) -> None:
    """No match has more actions, or other scores, than the DESCRIPTION says."""
    description, game = description_of(subject), subject.game
    for seed, options in enumerate(variants(game), 400):
        *_, match = random_match(game, options, seed)
        by_chance = sum(event.seat == CHANCE for event in match.events)
        by_seats = len(match.events) - by_chance
        limit = description.max_chance_actions(options.players)
        assert by_chance <= limit, f"a match has {by_chance} actions of chance, but max_chance_actions is {limit}"
        limit = description.max_seat_actions(game.start(options).state)
        assert by_seats <= limit, f"a match has {by_seats} actions of seats, but max_seat_actions is {limit}"
        low, high = description.score_bounds(game.start(options).state)
        scores = match.position.outcome()[0]
        assert all(low <= score <= high for score in scores), f"scores {scores} are outside the bounds {low} to {high}"


@CHECKS.add
def actions_of_seats_come_before_those_of_chance(subject: Subject) -> None:
    """The actions of seats are numbered from 0 to the end of the last range; those of chance follow."""
    description, game = description_of(subject), subject.game
    for seed, options in enumerate(variants(game), 400):
        end = description.seat_actions(options)
        for match in random_match(game, options, seed):
            for seat in match.position.acting():
                legal = match.position.legal(seat)
                is_right = legal[0] >= end if seat == CHANCE else legal[-1] < end
                assert is_right, f"the ranges end at {end}, but seat {seat} has the actions {legal}"

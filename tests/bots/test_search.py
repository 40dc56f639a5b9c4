"""The generic search finds good moves, uses no hidden information, is reproducible, legal and on time."""

from time import perf_counter

import numba
import pytest

from bots.matches import Player, decisions, positions_to_decide
from threespan.bots.bot import Bot, Budget, Decision
from threespan.bots.levels import level_bots
from threespan.bots.search import SearchMemory, SearchStyle, search
from threespan.core.game import Game, Position
from threespan.core.options import read_options
from threespan.core.registry import codes, find_game

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="a search takes too long uncompiled")

PLAIN = SearchStyle(guided=False)


@pytest.fixture(params=codes(), scope="module")
def game(request: pytest.FixtureRequest) -> Game:
    """Every registered game in turn."""
    return find_game(request.param)


def max_players(game: Game) -> int:
    return game.seat_counts[-1]


def hasty(bot: Bot) -> Player:
    return lambda seen, seat, seed: bot.decide(seen, seat, Budget(simulations=8), seed)


def heaps(*sizes: int, players: int = 2) -> Position:
    game = find_game("nim")
    position = game.start(read_options(game.options, {"players": players}))
    position.state.filled = 3
    position.state.heap = sizes
    return position


def take(heap: int, count: int) -> int:
    return find_game("nim").parse_action(heaps(1, 1, 1).state, f"take {count} from {heap}")


# Strength


def nim_sum_moves(sizes: tuple[int, ...]) -> set[int]:
    """The winning moves of Nim: those after which the XOR of the sizes is 0."""
    wins = set()
    for heap, size in enumerate(sizes):
        rest = sizes[(heap + 1) % 3] ^ sizes[(heap + 2) % 3]
        if rest < size:
            wins.add(take(heap + 1, size - rest))
    return wins


@pytest.mark.parametrize(
    "sizes", [(1, 2, 4), (3, 3, 1), (0, 4, 5), (1, 1, 3), (2, 3, 5), (5, 4, 3), (1, 4, 4), (5, 5, 2)]
)
def test_finds_the_winning_move_of_nim(sizes: tuple[int, ...]) -> None:
    decision = search(heaps(*sizes), 0, Budget(simulations=200_000), 1, PLAIN)
    assert decision.action in nim_sum_moves(sizes)
    assert decision.value > 0.7


def test_knows_that_a_position_is_lost() -> None:
    assert search(heaps(1, 2, 3), 0, Budget(simulations=20000), 1, PLAIN).value < 0.3


def test_every_player_looks_after_itself() -> None:
    # Three players. Taking all of 1, 1, 0 is impossible; after any move the next player takes the last stone.
    assert search(heaps(1, 1, 0, players=3), 0, Budget(simulations=500), 1, PLAIN).value < 0.1


def test_a_decision_has_its_reasons() -> None:
    decision = search(heaps(1, 2, 4), 0, Budget(simulations=3000), 1, PLAIN)
    assert decision.line[0] == decision.action == decision.alternatives[0].action
    assert decision.simulations == 3000 == sum(tried.visits for tried in decision.alternatives)
    assert {tried.action for tried in decision.alternatives} == set(heaps(1, 2, 4).legal(0))
    visits = [tried.visits for tried in decision.alternatives]
    assert visits == sorted(visits, reverse=True)


def test_a_forced_move_takes_no_thought() -> None:
    assert search(heaps(0, 1, 0), 0, Budget(seconds=5.0), 1, PLAIN) == Decision(take(2, 1), (take(2, 1),))


# Behaviour in every game


def test_same_seed_and_simulations_give_the_same_decision(game: Game) -> None:
    options = read_options(game.options, {"players": 2})
    for threads in (1, 2):
        budget = Budget(simulations=101, threads=threads)
        for position, seat in list(positions_to_decide(game, options, 1, 20))[:5]:
            seen = position.observe(seat)
            first, second = (search(seen, seat, budget, 7, SearchStyle()) for _ in range(2))
            assert first == second
            assert first.simulations == 101


def test_seeds_matter() -> None:
    seen = heaps(5, 5, 5)
    found = [search(seen, 0, Budget(simulations=50), seed, PLAIN).alternatives for seed in range(5)]
    assert any(one != found[0] for one in found)


def test_what_is_hidden_makes_no_difference(game: Game) -> None:
    options = read_options(game.options, {"players": max_players(game)})
    for position, seat in list(positions_to_decide(game, options, 2, 15))[:8]:
        seen = position.observe(seat)
        dealt_again = seen.imagine(seat, 99).observe(seat)
        for bot in level_bots():
            budget = Budget(simulations=60)
            assert bot.decide(seen, seat, budget, 5) == bot.decide(dealt_again, seat, budget, 5)


def test_observations_stay_as_they_are(game: Game) -> None:
    options = read_options(game.options, {"players": max_players(game)})
    for position, seat in list(positions_to_decide(game, options, 3, 30))[:5]:
        seen = position.observe(seat)
        before = seen.state.tobytes()
        for bot in level_bots():
            bot.decide(seen, seat, Budget(simulations=30), 5)
        assert seen.state.tobytes() == before


def test_decisions_are_legal_in_whole_matches(game: Game) -> None:
    for players in range(max(2, game.seat_counts[0]), max_players(game) + 1):
        options = read_options(game.options, {"players": players})
        playing = [hasty(bot) for bot in level_bots()[-players:]]
        for match, seat, decision in decisions(game, options, playing, players):
            legal = match.position.legal(seat)
            assert decision.action in legal
            assert {tried.action for tried in decision.alternatives} <= set(legal)
        assert match.position.is_over


def test_plans_can_be_carried_out(game: Game) -> None:
    options = read_options(game.options, {"players": 2})
    for position, seat in list(positions_to_decide(game, options, 4, 10))[:10]:
        line = search(position.observe(seat), seat, Budget(simulations=400), 3, SearchStyle()).line
        for action in line:
            position.play(seat, action)  # raises IllegalAction


@pytest.mark.parametrize("seconds", [0.05, 0.4])
def test_keeps_to_its_time(game: Game, seconds: float) -> None:
    options = read_options(game.options, {"players": 2})
    position, seat = next(positions_to_decide(game, options, 5, 1))
    seen = position.observe(seat)
    search(seen, seat, Budget(simulations=1), 1, SearchStyle())  # compiles
    start = perf_counter()
    decision = search(seen, seat, Budget(seconds=seconds), 1, SearchStyle())
    assert seconds <= perf_counter() - start <= seconds + 1  # generous, since the machine may be busy
    assert decision.simulations > 0


def test_a_full_tree_still_decides(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("threespan.bots.search._MAX_NODES", 40)
    options = read_options(game.options, {"players": 2})
    position, seat = next(positions_to_decide(game, options, 6, 1))
    decision = search(position.observe(seat), seat, Budget(simulations=500), 1, SearchStyle())
    assert decision.action in position.legal(seat)
    assert sum(tried.visits for tried in decision.alternatives) == decision.simulations == 500


# Keeping the tree within a turn


def turns_with_two_decisions(game: Game, seed: int) -> list[tuple[Position, int, Decision]]:
    """Positions with a decision after which the same seat has another choice."""
    options = read_options(game.options, {"players": 2})
    found = []
    for position, seat in positions_to_decide(game, options, seed, 1):
        decision = search(position.observe(seat), seat, Budget(simulations=60), 1, SearchStyle())
        after = position.copy()
        after.play(seat, decision.action)
        if after.acting() == [seat] and len(after.legal(seat)) > 1:
            found.append((position, seat, decision))
        if len(found) == 5:
            break
    return found


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("code", ["stege", "elfer"])
def test_a_search_continues_with_the_last_tree(code: str, threads: int) -> None:
    budget = Budget(simulations=200, threads=threads)
    inherited = 0
    for position, seat, _ in turns_with_two_decisions(find_game(code), 7):
        results = []
        for _ in range(2):  # reproducible
            memory = SearchMemory()
            first = search(position.observe(seat), seat, budget, 1, SearchStyle(), memory)
            after = position.copy()
            after.play(seat, first.action)
            seen = after.observe(seat)
            results.append(
                (first, search(seen, seat, Budget(simulations=1, threads=threads), 2, SearchStyle(), memory))
            )
        assert results[0] == results[1]
        second = results[0][1]
        assert second.action in after.legal(seat)
        assert second.simulations == sum(tried.visits for tried in second.alternatives) <= results[0][0].simulations
        inherited += second.simulations > threads
    assert inherited


def test_a_kept_tree_is_used_once_and_only_for_its_observation() -> None:
    position, seat, _ = turns_with_two_decisions(find_game("stege"), 7)[0]
    memory = SearchMemory()
    budget = Budget(simulations=200)
    first = search(position.observe(seat), seat, budget, 1, SearchStyle(), memory)
    assert (
        search(position.observe(seat), seat, budget, 1, SearchStyle(), memory) == first
    )  # it is about the next decision
    after = position.copy()
    after.play(seat, first.action)
    alone = search(after.observe(seat), seat, budget, 2, SearchStyle())
    search(after.observe(seat), seat, budget, 2, SearchStyle(), memory)
    assert search(after.observe(seat), seat, budget, 2, SearchStyle(), memory) == alone


def test_memory_is_bounded() -> None:
    memory = SearchMemory()
    for position, seat, _ in [turn for seed in range(6) for turn in turns_with_two_decisions(find_game("stege"), seed)]:
        search(position.observe(seat), seat, Budget(simulations=20), 1, SearchStyle(), memory)
    assert 0 < len(memory) <= 8

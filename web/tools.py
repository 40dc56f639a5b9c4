"""Run the tools for working on the page, which are installed when they are first needed.

python web/tools.py lint      types (svelte-check), likely faults (ESLint) and formatting (Prettier)
python web/tools.py format    format the sources and fix what can be fixed
python web/tools.py test      unit tests (Vitest); what follows goes to Vitest: a file's name, --watch
python web/tools.py dev       the page with hot reload, in front of a server: --port (of the server), --page-port
"""

import argparse
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from build import WEB, Node, find_node

_SVELTE_CHECK = ("svelte-check/bin/svelte-check", "--fail-on-warnings", "--output", "human")
_ESLINT = ("eslint/bin/eslint.js", "--max-warnings", "0", ".")
_PRETTIER = ("prettier/bin/prettier.cjs", "--log-level", "warn")
_VITEST = ("vitest/vitest.mjs", "run")
_VITE = ("vite/bin/vite.js",)
_SERVER_VARIABLE = "THREESPAN_SERVER"  # vite.config.ts reads it
_PATIENCE = 600  # seconds; the first start on a machine compiles the rules


def main() -> None:
    """Run one of the tools."""
    command, *rest = sys.argv[1:] or [""]
    tools = {"lint": lint, "format": format_sources, "test": test, "dev": serve_with_hot_reload}
    if command not in tools:
        sys.exit(__doc__)
    node = find_node()
    node.install(with_tools=True)
    tools[command](node, rest)


def lint(node: Node, _rest: list[str]) -> None:
    """Check the sources with all tools at once."""
    commands = [_SVELTE_CHECK, _ESLINT, (*_PRETTIER, "--check", ".")]
    running = [node.start(*command) for command in commands]
    codes = [process.wait() for process in running]
    if any(codes):
        sys.exit("The page's sources have faults; `make format` mends what can be mended.")


def format_sources(node: Node, _rest: list[str]) -> None:
    """Format the sources, after ESLint has fixed what it can."""
    node.start(*_ESLINT, "--fix").wait()
    node.run(*_PRETTIER, "--write", ".")


def test(node: Node, rest: list[str]) -> None:
    """Run the unit tests, or those that are named."""
    sys.exit(node.start(*_VITEST, *rest).wait())


def serve_with_hot_reload(node: Node, rest: list[str]) -> None:
    """Serve the page with hot reload, in front of the server that runs at the port, or of a new one."""
    parser = argparse.ArgumentParser(prog="tools.py dev")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--page-port", type=int, default=5173)
    options = parser.parse_args(rest)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # so that a server that was started here stops as well
    with suppress(KeyboardInterrupt), _server(options.port) as address:
        vite = node.start(*_VITE, "--port", str(options.page_port), **{_SERVER_VARIABLE: address})
        try:
            sys.exit(vite.wait())
        finally:
            vite.terminate()


@contextmanager
def _server(port: int) -> Iterator[str]:
    """The address of a running server; one that was started for this stops with it."""
    address = f"http://127.0.0.1:{port}"
    if _answers(address):
        print(f"Using the server at {address}", file=sys.stderr)
        yield address
        return
    process = subprocess.Popen([sys.executable, "-m", "threespan", "serve", "--port", str(port)], cwd=WEB.parent)
    try:
        deadline = time.monotonic() + _PATIENCE
        while not _answers(address):
            if process.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"No server answers at {address}.")
            time.sleep(0.2)
        yield address
    finally:
        process.terminate()
        process.wait()


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/readyz", timeout=5):
            return True
    except OSError:
        return False


if __name__ == "__main__":
    main()

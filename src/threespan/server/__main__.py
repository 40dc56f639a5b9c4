"""The process of a server, as `serve` starts it: `--tell` says when it can be reached, `--open` opens its page too."""

import contextlib
import sys

from threespan.server.local import open_when_ready
from threespan.server.serving import run
from threespan.server.settings import settings_from_environment

if __name__ == "__main__":
    settings = settings_from_environment()
    if {"--tell", "--open"} & set(sys.argv):
        open_when_ready(f"http://127.0.0.1:{settings.port}", "--open" in sys.argv)
    with contextlib.suppress(KeyboardInterrupt):
        run(settings)

"""The server process that `serve` starts. `--announce` prints when it is ready; `--open` also opens its page."""

import contextlib
import sys

from threespan.server.local import open_when_ready
from threespan.server.network import is_loopback, lan_url
from threespan.server.serving import run
from threespan.server.settings import settings_from_environment

if __name__ == "__main__":
    settings = settings_from_environment()
    if {"--announce", "--open"} & set(sys.argv):
        network_url = None if is_loopback(settings.host) else lan_url(settings, settings.port)
        open_when_ready(f"http://127.0.0.1:{settings.port}", "--open" in sys.argv, network_url)
    with contextlib.suppress(KeyboardInterrupt):
        run(settings)

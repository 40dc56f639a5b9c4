"""The server on one's own machine: open its page once it answers."""

import threading
import time
import urllib.request
import webbrowser

_PATIENCE = 300.0


def open_when_ready(url: str, browser: bool) -> None:
    """Say when a page can be reached and, if wished, open it; does not wait for that."""

    def wait() -> None:
        begin = time.monotonic()
        while time.monotonic() - begin < _PATIENCE:
            try:
                urllib.request.urlopen(f"{url}/healthz", timeout=5).read()
            except OSError:
                time.sleep(0.3)
                continue
            print(f"Ready: {url}", flush=True)
            if browser:
                webbrowser.open(url)
            return

    threading.Thread(target=wait, name="open-page", daemon=True).start()

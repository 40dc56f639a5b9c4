"""For a server on the user's own machine: open its page as soon as it answers."""

import io
import sys
import threading
import time
import urllib.request
import webbrowser

import segno

_TIMEOUT_SECONDS = 300.0


def open_when_ready(url: str, browser: bool, lan_url: str | None = None) -> None:
    """Print when the page can be reached and open it if `browser` is set; returns at once.

    `lan_url` is the address for others if the server is open to the local network; empty if there is no network.
    """

    def wait() -> None:
        start = time.monotonic()
        while time.monotonic() - start < _TIMEOUT_SECONDS:
            try:
                urllib.request.urlopen(f"{url}/healthz", timeout=5).read()
            except OSError:
                time.sleep(0.3)
                continue
            print(f"Ready: {url}", flush=True)
            if lan_url is not None:
                print(_invitation(lan_url), flush=True)
            if browser:
                webbrowser.open(url)
            return

    threading.Thread(target=wait, name="open-page", daemon=True).start()


def _invitation(lan_url: str) -> str:
    """How others in the local network can join; with a QR code if the output is a terminal."""
    if not lan_url:
        return "This computer is not in a network, so nobody else can reach it."
    line = f"Others in your network: {lan_url}"
    if not sys.stdout.isatty():
        return line
    picture = io.StringIO()
    segno.make(lan_url).terminal(picture, compact=True)
    return f"{line}\n{picture.getvalue()}"

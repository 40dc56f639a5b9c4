"""A server and a browser that all tests of this folder share; a fresh profile for each guest."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, expect

from server.running import Server
from web.browsing import GENEROUS, Guest, open_browser
from web.hands import Mouse
from web.playing import HashiPlayer

expect.set_options(timeout=20_000)

Invite = Callable[..., Guest]

_PATIENCE = 800.0


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that leave it running."""
    running = Server(tmp_path_factory.mktemp("web"), **GENEROUS).start()
    wait_for_bots(running)
    yield running
    running.stop()


def wait_for_bots(server: Server) -> None:
    """Wait until the bots are loaded or, on a new machine, compiled."""
    table = server.open("hashi", "here")["id"]
    begin = time.monotonic()
    while httpx.get(f"{server.base}/api/tables/{table}").json()["bots_are_loading"]:
        assert time.monotonic() - begin < _PATIENCE, server.log.read_text()
        time.sleep(0.2)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with open_browser() as browser:
        yield browser


@pytest.fixture(scope="package")
def finished(browser: Browser, server: Server) -> str:
    """The path of a table at which a short match of Hashi solo is over."""
    guest = Guest(browser, server.base, hurries=True)
    guest.visit("/")
    guest.sees("solo-hashi").click()
    guest.page.wait_for_url("**/t/*")
    HashiPlayer(guest, Mouse(guest)).play_to_the_end()
    path = guest.page.url.removeprefix(server.base)
    guest.close()
    return path


@pytest.fixture
def invite(browser: Browser, server: Server) -> Iterator[Invite]:
    """Guests with browsers of their own; at the end nothing may have gone wrong in any of them."""
    guests: list[Guest] = []

    def invite(base: str = server.base, **options: Any) -> Guest:
        guests.append(Guest(browser, base, **options))
        return guests[-1]

    yield invite
    troubles = [trouble for guest in guests for trouble in guest.troubles]
    for guest in guests:
        guest.close()
    assert not troubles

"""Invitations from a server on one's own machine: nobody is sent a link that cannot work."""

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Route, expect

from server.running import Server
from web.browsing import GENEROUS, PHONE, open_table
from web.conftest import Invite

NEIGHBOUR = "127.0.0.2"  # on this machine, but not the address that the server listens on


@pytest.fixture
def at_home(tmp_path: Path) -> Iterator[Server]:
    """A server that only its own machine reaches, as `threespan` starts it."""
    server = Server(tmp_path, public_url="", lan_address=NEIGHBOUR, bot_threads=0, **GENEROUS).start()
    yield server
    server.stop()


def test_a_link_is_given_once_others_can_open_it(at_home: Server, invite: Invite) -> None:
    ada = invite(at_home.base)
    open_table(ada, "stege", "link")
    ada.sees("network-shut").wait_for()
    assert ada.sees("seat-link").count() == 0
    ada.sees("open-network").click()
    link = urlsplit(ada.sees("seat-link").input_value())
    assert link.hostname == NEIGHBOUR
    bo = invite(f"{link.scheme}://{link.netloc}", **PHONE)
    bo.visit(f"{link.path}#{link.fragment}")
    bo.page.get_by_label("Who are you?").fill("Bo")
    bo.press("Sit down")
    expect(ada.sees("player-1")).to_contain_text("Bo")
    ada.sees("open-menu").click()
    assert urlsplit(ada.sees("seat-link").input_value()).hostname == NEIGHBOUR, "the link to watch works, too"


@pytest.mark.parametrize(("has_network", "words"), [(False, "in no network"), (True, "Ask whoever runs it")])
def test_where_no_link_would_work_none_is_given(invite: Invite, has_network: bool, words: str) -> None:
    answer = {"address": "", "may_open": False, "has_network": has_network}

    def tell(route: Route) -> None:
        route.fulfill(body=json.dumps(answer), content_type="application/json")

    ada = invite()
    ada.page.route("**/api/network", tell)
    open_table(ada, "hashi", "link")
    expect(ada.sees("network-missing")).to_contain_text(words)
    assert ada.sees("seat-link").count() == 0

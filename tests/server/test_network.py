"""Access from the local network: who can reach a server, who learns its address, and who may open it."""

import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from server.running import Server
from threespan.server import network
from threespan.server.network import is_loopback, own_address
from threespan.server.settings import Settings

NEIGHBOUR = "127.0.0.2"  # on this machine, but not the address that the server listens on


@pytest.fixture
def closed(tmp_path: Path) -> Iterator[Server]:
    """A server that is only reachable from its own machine, as started by `threespan`."""
    server = Server(tmp_path, public_url="", lan_address=NEIGHBOUR, bot_threads=0).start()
    yield server
    server.stop()


def test_a_server_on_ones_own_machine_is_opened_to_the_network(closed: Server) -> None:
    door = f"http://{NEIGHBOUR}:{closed.port}"
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{door}/healthz")
    url = f"{closed.base}/api/network"
    assert httpx.get(url).json() == {"address": "", "may_open": True, "has_network": True}
    opened = {"address": door, "may_open": False, "has_network": True}
    assert [httpx.post(url, json={}).json() for _ in range(2)] == [opened, opened]
    assert httpx.get(url).json() == opened
    table = closed.open("hashi", "link")["id"]
    assert httpx.get(f"{door}/api/tables/{table}").json()["id"] == table
    closed.stop()
    assert "worker stopped" in closed.log.read_text()
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{door}/healthz")


def test_a_taken_port_is_replaced_by_another(closed: Server) -> None:
    with socket.socket() as other:
        other.bind((NEIGHBOUR, closed.port))
        other.listen()
        address = httpx.post(f"{closed.base}/api/network", json={}).json()["address"]
    assert address.startswith(f"http://{NEIGHBOUR}:")
    assert not address.endswith(f":{closed.port}")
    assert httpx.get(f"{address}/healthz").is_success


@pytest.mark.parametrize("headers", [{"origin": "http://elsewhere.example"}, {"host": "rebound.example"}])
def test_other_pages_learn_nothing_and_open_nothing(closed: Server, headers: dict[str, str]) -> None:
    url = f"{closed.base}/api/network"
    refused = httpx.post(url, json={}, headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (403, "not_at_home")
    if "host" in headers:
        assert httpx.get(url, headers=headers).json() == {"address": "", "may_open": False, "has_network": True}
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://{NEIGHBOUR}:{closed.port}/healthz")


def test_a_server_that_listens_everywhere_names_its_address(tmp_path: Path) -> None:
    server = Server(tmp_path, public_url="", lan_address=NEIGHBOUR, host="0.0.0.0", bot_threads=0).start()
    try:
        found = httpx.get(f"{server.base}/api/network").json()
        assert found == {"address": f"http://{NEIGHBOUR}:{server.port}", "may_open": False, "has_network": True}
        assert httpx.get(f"{found['address']}/healthz").is_success
    finally:
        server.stop()


@pytest.mark.parametrize("host", ["127.0.0.1", "127.3.2.1", "::1", "[::1]", "localhost", "threespan.localhost"])
def test_loopback_addresses_are_recognised(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["10.0.0.1", "0.0.0.0", "localhost.example", ""])
def test_addresses_of_other_machines_are_not_loopback(host: str) -> None:
    assert not is_loopback(host)


def test_a_machine_without_a_network_has_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_way(*_: object) -> None:
        raise OSError("network is unreachable")

    assert not is_loopback(own_address())
    monkeypatch.setattr(socket.socket, "connect", no_way)
    monkeypatch.setattr(socket, "gethostbyname_ex", lambda _: ("here", [], ["127.0.1.1"]))
    assert own_address() == ""
    door = network.LanAccess(Settings(), None)
    assert (door.address(8000), door.may_open(8000)) == ("", False)

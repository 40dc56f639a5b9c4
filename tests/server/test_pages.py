import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar.datastructures import State
from litestar.testing import TestClient, create_test_client

from threespan.server import typescript
from threespan.server.http import pages

SCRIPT = "assets/index-abc123.js"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    page = tmp_path / "page"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_text("<title>Threespan</title>")
    (page / SCRIPT).write_text("export {}")
    (tmp_path / "secret.txt").write_text("secret")
    monkeypatch.setattr(pages, "FOLDER", page)
    pages.load_file.cache_clear()
    pages.load_preloads.cache_clear()
    return page


@pytest.fixture
def client(folder: Path) -> Iterator[TestClient[Any]]:
    assert folder.is_dir()
    with create_test_client([pages.read_page]) as client:
        yield client


@pytest.mark.parametrize("path", ["/", "/play/hashi", "/t/abc", "/t/abc/replay/12", "/lobby", "/learn/elfer"])
def test_every_screen_is_the_same_page(client: TestClient[Any], path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert "Threespan" in answer.text


def test_an_unknown_address_is_left_to_the_page(client: TestClient[Any]) -> None:
    answer = client.get("/nowhere")
    assert answer.status_code == 200
    assert "Threespan" in answer.text


def test_hashed_files_are_cached_forever_and_the_page_is_not(client: TestClient[Any]) -> None:
    assert "immutable" in client.get(f"/{SCRIPT}").headers["cache-control"]
    assert client.get("/").headers["cache-control"] == "no-cache"


def test_scripts_have_a_type_that_browsers_run(client: TestClient[Any]) -> None:
    assert client.get(f"/{SCRIPT}").headers["content-type"].startswith("text/javascript")


def test_unchanged_files_are_not_sent_again(client: TestClient[Any]) -> None:
    tag = client.get("/").headers["etag"]
    answer = client.get("/", headers={"if-none-match": tag})
    assert (answer.status_code, answer.content) == (304, b"")


def test_the_page_is_compressed_only_for_clients_that_accept_it(client: TestClient[Any]) -> None:
    assert client.get("/", headers={"accept-encoding": "gzip"}).headers["content-encoding"] == "gzip"
    assert "content-encoding" not in client.get("/", headers={"accept-encoding": "identity"}).headers


def test_a_rebuilt_page_is_sent_again(client: TestClient[Any], folder: Path) -> None:
    client.get("/")
    (folder / "index.html").write_text("<title>Another Threespan</title>")
    assert "Another" in client.get("/").text


class TablesInMemory:
    def game_in_memory(self, table: str) -> str:
        return {"abc": "hashi"}.get(table, "")


@pytest.mark.parametrize(
    ("path", "needs"),
    [
        ("/", ["de.js"]),
        ("/t/abc", ["de.js", "table.js", "table.css", "hashi.js"]),
        ("/t/other", ["de.js", "table.js", "table.css"]),
        ("/t/abc/replay/3", ["de.js"]),
    ],
)
def test_an_address_announces_the_files_that_it_needs(folder: Path, path: str, needs: list[str]) -> None:
    files = {"en": ["en.js"], "de": ["de.js"], "table": ["table.js", "table.css"], "hashi": ["table.js", "hashi.js"]}
    (folder / "preload.json").write_text(json.dumps(files))
    with create_test_client([pages.read_page], state=State({"tables": TablesInMemory()})) as client:
        announced = client.get(path, headers={"accept-language": "de-AT,en"}).headers["link"]
    assert re.findall(r"</([\w.]+)>", announced) == needs
    assert ("</table.css>; rel=preload; as=style; crossorigin" in announced) == ("table.css" in needs)
    assert "</de.js>; rel=modulepreload" in announced


@pytest.mark.parametrize("path", ["/assets/gone.js", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt"])
def test_nothing_but_the_files_of_the_page_is_served(client: TestClient[Any], path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "secret" not in answer.text


def test_without_a_page_the_server_says_how_to_build_it(client: TestClient[Any], folder: Path) -> None:
    (folder / "index.html").unlink()
    answer = client.get("/")
    assert answer.status_code == 503
    assert "npm run build" in answer.text


def test_the_types_of_the_page_are_current() -> None:
    for file, text in typescript.files().items():
        assert file.read_text("utf-8") == text, "run `python -m threespan.server.typescript`"

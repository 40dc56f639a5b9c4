"""The report of a tournament: well formed, complete and self-contained."""

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from arena.conftest import made_up, tournament_of
from threespan.arena.plots import Bar, Scale, bars, histogram
from threespan.arena.report import PAGE, SUMMARY, write_report
from threespan.arena.summary import summarise

VOID = {"meta", "br", "img", "link"}


class Reader(HTMLParser):
    """Checks that tags match, and notes tags, attributes and text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def count(self, tag: str, kind: str) -> int:
        return sum(name == tag and kind in (attrs.get("class") or "").split() for name, attrs in self.tags)


def read_page(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert not reader.open
    return reader


def page_of(folder: Path, bots: list[str], players: int, played: int | None = None) -> Reader:
    tournament = tournament_of(bots, players, games=2 * players)
    indices = list(tournament.indices())[:played]
    results = [made_up(tournament, i, {bot: 10 * bot + i % 7 for bot in range(len(bots))}) for i in indices]
    summary = summarise(tournament, results, 12.0)
    file = write_report(folder, tournament, summary, results, folder / "records")
    assert file == folder / PAGE
    assert json.loads((folder / SUMMARY).read_text("utf-8"))["games"] == len(results)
    return read_page(file.read_text("utf-8"))


@pytest.mark.parametrize(("bots", "players"), [(1, 1), (3, 1), (2, 2), (4, 2), (3, 3), (4, 4), (11, 2)])
def test_a_page_shows_all_bots(tmp_path: Path, bots: int, players: int) -> None:
    names = [f"bot{number}" for number in range(bots)]
    page = page_of(tmp_path, names, players)
    assert all(name in page.text for name in names)
    cells = page.count("td", "up") + page.count("td", "down")
    assert cells == (bots * (bots - 1) if bots > 1 else 0)
    charts = 2 * (bots > 1) + bots + (players > 1) + 2
    assert sum(tag == "svg" for tag, _ in page.tags) == charts
    assert "Not finished" not in page.text


def test_a_report_is_self_contained(tmp_path: Path) -> None:
    page = page_of(tmp_path, ["a", "b"], 2)
    assert not {"script", "img", "link", "iframe", "object"} & {tag for tag, _ in page.tags}
    targets = [attrs["href"] for _, attrs in page.tags if "href" in attrs]
    assert targets
    assert all(target and "://" not in target for target in targets)
    html = (tmp_path / PAGE).read_text("utf-8")
    assert "url(" not in html
    assert "@import" not in html


def test_a_page_leads_to_records(tmp_path: Path) -> None:
    page = page_of(tmp_path, ["a", "b"], 2)
    targets = [str(attrs["href"]) for _, attrs in page.tags if "href" in attrs]
    assert "records/match-000003.jsonl" in targets
    assert SUMMARY in targets


def test_names_cannot_break_a_page(tmp_path: Path) -> None:
    page = page_of(tmp_path, ["<script>alert(1)</script>", 'a"b&c'], 2)
    assert not any(tag == "script" for tag, _ in page.tags)
    assert "<script>alert(1)</script>" in page.text


def test_an_unfinished_tournament_says_so(tmp_path: Path) -> None:
    assert "Not finished: 3 of 4 matches." in page_of(tmp_path, ["a", "b"], 2, played=3).text
    assert "Not finished: 0 of 4 matches." in page_of(tmp_path, ["a", "b"], 2, played=0).text


def test_a_bar_reaches_from_the_origin_to_its_value() -> None:
    plot = read_page(bars([Bar("a", 0, 30, 28, 32, "")], Scale(20, 40), "", "{:g}".format, 25))
    [bar] = [attrs for tag, attrs in plot.tags if tag == "rect"]
    assert (bar["x"], bar["width"]) == ("25.00%", "25.00%")
    whisker = next(attrs for tag, attrs in plot.tags if tag == "line" and attrs["class"] == "whisker")
    assert (whisker["x1"], whisker["x2"]) == ("40.00%", "60.00%")


def test_a_histogram_is_as_high_as_it_is_often() -> None:
    plot = read_page(histogram([(0, 10), (3, 5)], 0, 3, 0, 1.0, "scores"))
    heights = [float(str(attrs["height"])) for tag, attrs in plot.tags if tag == "rect"]
    assert heights[0] == 2 * heights[1]
    assert "0: 10" in plot.text


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ((0.0, 1.0), [0, 0.2, 0.4, 0.6, 0.8, 1]),
        ((18.3, 31.0), [15, 20, 25, 30, 35]),
        ((5.0, 5.0), [5, 5.2, 5.4, 5.6, 5.8, 6]),
    ],
)
def test_scales_have_round_numbers(values: tuple[float, float], ticks: list[float]) -> None:
    scale = Scale.around(values)
    assert scale.low <= min(values) <= max(values) <= scale.high
    assert scale.ticks() == pytest.approx(ticks)


def test_logarithmic_scales_go_by_powers_of_ten() -> None:
    scale = Scale.of_powers([0.0002, 0.5])
    assert scale.ticks() == pytest.approx([0.0001, 0.001, 0.01, 0.1, 1])
    assert scale.place(0.01) == pytest.approx(50)

"""Tests that the documentation site builds without warnings and loads nothing from other hosts.

Needs the extra `docs` (it is part of `dev`), and the parts of the playground, which is in the site.
"""

from __future__ import annotations

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from docs.page_examples import examples
from forthvm.web.playground.link import fragment_of
from forthvm.web.playground.static_page import EDITOR
from tests.kit.processes import output_of
from tests.web.exported import needs_core

pytest.importorskip("mkdocs")
pytestmark = [
    needs_core,
    pytest.mark.skipif(not EDITOR.exists(), reason="no editor.js: editors/playground makes it"),
]

CHECKOUT = Path(__file__).resolve().parents[2]
OTHER_HOST = re.compile(r"(?:[a-z]+:)?//", re.IGNORECASE)
# Attributes with URLs that a browser loads when it shows the page.
FETCHED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data"}
FETCHED_LINKS = {"stylesheet", "icon", "preload", "preconnect", "dns-prefetch", "modulepreload"}


class Assets(HTMLParser):
    """Collects the URLs on other hosts that a page loads."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        fetched = values.get(FETCHED.get(tag, ""), "")
        if tag == "link" and FETCHED_LINKS & set(values.get("rel", "").split()):
            fetched = values.get("href", "")
        if OTHER_HOST.match(fetched):
            self.found.append(fetched)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = (sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder)
    output_of(*command, folder=CHECKOUT, NO_MKDOCS_2_WARNING="1")
    return folder


@pytest.mark.slow
def test_pages_load_nothing_from_other_hosts(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 30
    for page in pages:
        assets = Assets()
        assets.feed(page.read_text(encoding="utf-8"))
        assert assets.found == [], page
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        assert re.findall(r"(?:url\(|@import\s*)[\"']?(?:https?:)?//[^)\"']*", text) == [], sheet


@pytest.mark.slow
def test_every_example_has_a_link_that_opens_it(site: Path) -> None:
    """A link that works has the files of an example; test_live_examples.py opens them."""
    found = set()
    for page in site.rglob("*.html"):
        for link in re.findall(r'<a href="([^"]+)"[^>]*>Try it</a>', page.read_text("utf-8")):
            address, _, fragment = link.partition("#")
            assert (page.parent / address).resolve() == site / "playground" / "index.html"
            found.add("#" + fragment)
    pages = [page.read_text(encoding="utf-8") for page in (CHECKOUT / "docs").rglob("*.md")]
    shown = [example for text in pages for example in examples(text)]
    blocks = re.compile(r"^```(?:forth|lisp title)\b", re.MULTILINE)
    assert len(shown) == sum(len(blocks.findall(text)) for text in pages)
    assert found == {fragment_of(example.files, example.main) for example in shown}


@pytest.mark.slow
def test_the_playground_has_the_steps_of_the_tutorials(site: Path) -> None:
    data = json.loads((site / "playground" / "data.json").read_text("utf-8"))
    names = {example["title"]: example["name"] for example in data["examples"]}
    first, last = "Write a game: 1. The board", "Write a game: 7. Settings"
    lessons = [
        json.loads((site / "playground" / "games" / f"{names[title]}.json").read_text("utf-8"))
        for title in (first, last)
    ]
    texts = ["".join(file["text"] for file in lesson["files"]) for lesson in lessons]
    assert all("{board" in text for text in texts)
    assert len(texts[0]) < len(texts[1])


@pytest.mark.slow
def test_the_api_reference_has_the_public_names(site: Path) -> None:
    import forthvm

    text = "".join(
        page.read_text(encoding="utf-8") for page in (site / "reference" / "api").glob("*.html")
    )
    packages = {"autoplay", "check", "debug", "engines", "render", "study"}
    packages |= {"__version__", "check_files"}
    missing = [
        name
        for name in forthvm.__all__
        if name not in packages and not re.search(rf'id="forthvm\.(\w+\.)?{name}"', text)
    ]
    assert missing == []


@pytest.mark.slow
def test_signatures_are_formatted(site: Path) -> None:
    """Without ruff, mkdocstrings writes a signature in one line, however long."""
    text = (site / "reference" / "api" / "games.html").read_text(encoding="utf-8")
    blocks = re.findall(r'<div class="doc-signature highlight">(.*?)</div>', text, re.DOTALL)
    lines = [line for block in blocks for line in re.sub("<[^>]+>", "", block).splitlines()]
    assert "load(" in lines
    assert max(map(len, lines)) <= 100

"""Adds the playground to the site, and to each script and rule file a link that opens it there.

The steps of the tutorials are among the examples of this playground.
"""

from __future__ import annotations

import logging
import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Link, Navigation
from mkdocs.structure.pages import Page
from page_examples import examples

from forthvm import ForthVMError
from forthvm.web.playground.link import fragment_of
from forthvm.web.playground.static_page import Lesson, write_playground

FOLDER = "playground"
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
lessons: dict[str, Lesson] = {}
"""The steps of the tutorials by their titles: the files at the end of each section."""


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Add a link below each example."""
    there = posixpath.relpath(f"{FOLDER}/index.html", posixpath.dirname(page.file.dest_uri) or ".")
    text, at = "", 0
    for example in examples(markdown):
        address = there + fragment_of(example.files, example.main)
        text += markdown[at : example.end]
        text += f'\n<p class="try-it"><a href="{address}" target="_blank">Try it</a></p>\n'
        at = example.end
        headings = HEADING.findall(markdown, 0, at)
        if headings and page.file.src_uri.startswith("tutorials/"):
            title = f"{page.title}: {headings[-1]}"
            lessons[title] = Lesson(title, example.main, example.files)
    return text + markdown[at:]


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:
    """Add the playground to the navigation."""
    nav.items.append(Link("Playground", f"{FOLDER}/index.html"))
    return nav


def on_post_build(config: MkDocsConfig) -> None:
    """Write the playground into the site."""
    try:
        write_playground(Path(config.site_dir) / FOLDER, list(lessons.values()))
    except ForthVMError as error:
        logging.getLogger("mkdocs").warning("the playground is missing: %s", error)

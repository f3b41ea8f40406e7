"""Adds the playground to the site, and to each script and rule file a link that opens it there."""

from __future__ import annotations

import logging
import posixpath
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Link, Navigation
from mkdocs.structure.pages import Page
from page_examples import examples

from forthvm import ForthVMError
from forthvm.web.playground.link import fragment_of
from forthvm.web.playground.static_page import write_playground

FOLDER = "playground"


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Add a link below each example."""
    there = posixpath.relpath(f"{FOLDER}/index.html", posixpath.dirname(page.file.dest_uri) or ".")
    text, at = "", 0
    for example in examples(markdown):
        address = there + fragment_of(example.files, example.main)
        text += markdown[at : example.end]
        text += f'\n<p class="try-it"><a href="{address}" target="_blank">Try it</a></p>\n'
        at = example.end
    return text + markdown[at:]


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:
    """Add the playground to the navigation."""
    nav.items.append(Link("Playground", f"{FOLDER}/index.html"))
    return nav


def on_post_build(config: MkDocsConfig) -> None:
    """Write the playground into the site."""
    try:
        write_playground(Path(config.site_dir) / FOLDER)
    except ForthVMError as error:
        logging.getLogger("mkdocs").warning("the playground is missing: %s", error)

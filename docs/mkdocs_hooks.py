"""Lets pages of the site link to files outside docs/, as they do in the repository.

Owns the copies below `source/` of the files that pages link to (games, pictures, README) and the
rewriting of those links.  It must not know what a page says.
"""

from __future__ import annotations

import os
import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

CHECKOUT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"(\]\()(?![a-z]+:|#)([^)#\s]+)")


def targets(markdown: str, folder: str) -> set[str]:
    """Files outside docs/ that a page links to, as paths within the checkout."""
    found = (posixpath.normpath(posixpath.join(folder, link)) for _, link in LINK.findall(markdown))
    return {path for path in found if outside(path)}


def outside(path: str) -> bool:
    """Whether it is an existing file of the checkout that is not below docs/."""
    return not path.startswith(("docs/", "..")) and (CHECKOUT / path).is_file()


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the files that pages link to, and those that these link to."""
    waiting: set[str] = set()
    for page in files.documentation_pages():
        folder = posixpath.dirname(posixpath.join("docs", page.src_uri))
        waiting |= targets(page.content_string, folder)
    known: set[str] = set()
    while waiting - known:
        path = sorted(waiting - known)[0]
        known.add(path)
        files.append(
            File.generated(
                config,
                f"source/{path}",
                abs_src_path=os.fspath(CHECKOUT / path),
                inclusion=InclusionLevel.NOT_IN_NAV,
            )
        )
        if path.endswith(".md"):
            text = (CHECKOUT / path).read_text(encoding="utf-8")
            waiting |= targets(text, posixpath.dirname(path))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Points links that leave docs/ to the copies; links of a copy go where the original's go."""
    here = page.file.src_uri
    is_copy = here.startswith("source/")
    folder = posixpath.dirname(here.removeprefix("source/") if is_copy else f"docs/{here}")

    def moved(match: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(folder, match[2]))
        if outside(path):
            target = f"source/{path}"
        elif path.startswith("docs/"):
            target = path.removeprefix("docs/")
        else:
            return match[0]
        return match[1] + posixpath.relpath(target, posixpath.dirname(here) or ".")

    return LINK.sub(moved, markdown)

"""Makes links from pages of the site to files outside docs/ work as they do in the repository.

Owns the copies of such files (games, pictures, README) in the folder `source/` of the site, and the
change of links so that they lead to the copies.
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
    """Returns the files outside docs/ to which a page in `folder` links (paths in the checkout)."""
    found = (posixpath.normpath(posixpath.join(folder, link)) for _, link in LINK.findall(markdown))
    return {path for path in found if outside(path)}


def outside(path: str) -> bool:
    """Returns whether a path is an existing file of the checkout that is not below docs/."""
    return not path.startswith(("docs/", "..")) and (CHECKOUT / path).is_file()


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the files outside docs/ that pages link to, directly or through other added files."""
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
    """Changes links to files outside docs/ into links to the copies.

    Links in a copy are changed so that they lead to the same files as in the original.
    """
    here = page.file.src_uri
    is_copy = here.startswith("source/")
    folder = posixpath.dirname(here.removeprefix("source/") if is_copy else f"docs/{here}")

    def changed_link(match: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(folder, match[2]))
        if outside(path):
            target = f"source/{path}"
        elif path.startswith("docs/"):
            target = path.removeprefix("docs/")
        else:
            return match[0]
        return match[1] + posixpath.relpath(target, posixpath.dirname(here) or ".")

    return LINK.sub(changed_link, markdown)

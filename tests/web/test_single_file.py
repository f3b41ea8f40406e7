"""Tests of pages that are a single file: joined modules, data, and the security policy."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest

from forthvm.web.modules import join_modules
from forthvm.web.offline.single_file import single_file
from tests.kit.messages import raises
from tests.kit.processes import output_of
from tests.web.exported import needs_node


class Elements(HTMLParser):
    """Collects the scripts, style sheets and meta elements of a document."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None], str]] = []
        self.feed(document)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs), ""))

    def handle_data(self, data: str) -> None:
        if self.cdata_elem:  # inside a script or a style sheet
            tag, attributes, text = self.found[-1]
            self.found[-1] = (tag, attributes, text + data)

    def named(self, tag: str) -> list[tuple[dict[str, str | None], str]]:
        return [(attributes, text) for name, attributes, text in self.found if name == tag]


def _write(folder: Path, modules: dict[str, str]) -> Path:
    for name, text in modules.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "main.js"


@needs_node
def test_joined_modules_do_the_same(tmp_path: Path) -> None:
    main = _write(
        tmp_path,
        {
            "main.js": 'import { Adder, two as pair } from "./adder.js";\n'
            'import { ONE } from "./numbers.js";\nconst hidden = 5;\n'
            "console.log(new Adder(pair()).add(ONE), hidden);\n",
            "adder.js": 'import { ONE } from "./numbers.js";\nconst hidden = 10;\n'
            "export function two() { return ONE + ONE; }\n"
            "export class Adder { constructor(n) { this.n = n; } "
            "add(m) { return this.n + m + hidden; } }\n",
            "numbers.js": "export const ONE = 1;\n",
        },
    )
    script = join_modules(main)
    printed = output_of("node", "-e", script)
    assert printed.split() == ["13", "5"]
    assert script.count("const ONE = 1") == 1  # a module that two modules import runs once


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("export default 5;\n", "export default 5"),
        ('import * as all from "./b.js";\n', "import *"),
        ('import { b } from "https://example.org/b.js";\n', "import { b } from"),
        ("export let changing = 1;\n", "export let"),
    ],
)
def test_other_forms_of_modules_are_refused(tmp_path: Path, text: str, named: str) -> None:
    main = _write(tmp_path, {"main.js": text, "b.js": "export const b = 1;\n"})
    with pytest.raises(ValueError, match=re.escape(named)):
        join_modules(main)


def test_modules_that_import_each_other_are_refused(tmp_path: Path) -> None:
    main = _write(
        tmp_path,
        {"main.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./main.js";\n'},
    )
    with raises(ValueError, "single-file.circle-of-modules"):
        join_modules(main)


def test_data_cannot_end_their_element() -> None:
    data = {"key": ["</script><script>alert(1)</script>", "<!-- <script>", "\u2028"]}
    elements = Elements(single_file("index.html", data))
    (block,) = [text for attributes, text in elements.named("script") if "id" in attributes]
    assert json.loads(block) == data["key"]


def test_title_is_text() -> None:
    document = single_file("index.html", {}, title="<b>&amp;")
    assert "<title>&lt;b&gt;&amp;amp;</title>" in document


def test_policy_names_the_scripts_and_styles_by_their_hashes() -> None:
    elements = Elements(single_file("index.html", {}, policy={"worker-src": "blob:"}))
    (policy,) = [
        attributes["content"]
        for attributes, _ in elements.named("meta")
        if attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    sources = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert sources["default-src"] == "'none'"
    assert sources["worker-src"] == "blob:"
    for directive, tag in (("script-src", "script"), ("style-src", "style")):
        texts = [text for _, text in elements.named(tag)]
        hashes = [
            f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in texts
        ]
        assert sources[directive].split() == hashes
    assert "src" not in {name for _, attributes, _ in elements.found for name in attributes}
    assert "/page/" not in "".join(str(attributes) for _, attributes, _ in elements.found)

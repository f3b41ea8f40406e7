"""The catalogue of the page's texts: complete, used, and the only place of texts."""

from __future__ import annotations

import json
import re
from importlib.resources import files

import pytest

from tests.kit.cases import each_case

PAGE = files("forthvm.web").joinpath("page")
PLAYGROUND = files("forthvm.web").joinpath("playground")
EDITOR = PLAYGROUND.joinpath("editor.js")  # a bundle of other packages
ENGLISH, RUSSIAN = (
    json.loads(PAGE.joinpath(f"texts/{language}.json").read_text(encoding="utf-8"))
    for language in ("en", "ru")
)
SOURCES = {
    f"{folder.name}/{file.name}": file.read_text(encoding="utf-8")
    for folder in (PAGE, PLAYGROUND)
    for file in folder.iterdir()
    if file.name.endswith((".js", ".html")) and file != EDITOR
}
CODE = {name: text for name, text in SOURCES.items() if name.endswith(".js")}
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*", re.S)
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
PLACE = re.compile(r"\{(\w+)\}")
PLURAL_FORMS = {"en": {"one", "other"}, "ru": {"one", "few", "many", "other"}}


def literals(code: str) -> list[str]:
    return ["".join(found) for found in LITERAL.findall(COMMENT.sub("", code))]


def forms(entry: str | dict[str, str]) -> list[str]:
    return [entry] if isinstance(entry, str) else list(entry.values())


def places(entry: str | dict[str, str]) -> set[str]:
    return {place for form in forms(entry) for place in PLACE.findall(form)}


def test_both_languages_have_the_same_texts() -> None:
    """The English texts of errors and reasons, and the words of reports, come from the server."""
    foreign = ("error.", "report.word.", "why.")
    ours = {key for key in RUSSIAN if not key.startswith(foreign) or key in ENGLISH}
    assert ours == set(ENGLISH)


@each_case("key", sorted(ENGLISH))
def test_both_languages_have_the_same_places(key: str) -> None:
    assert places(ENGLISH[key]) == places(RUSSIAN[key])


@pytest.mark.parametrize(("language", "texts"), [("en", ENGLISH), ("ru", RUSSIAN)])
def test_plural_forms(language: str, texts: dict[str, str | dict[str, str]]) -> None:
    for key, entry in texts.items():
        if not isinstance(entry, str):
            assert set(entry) == PLURAL_FORMS[language], key


def test_keys_are_sorted() -> None:
    assert list(ENGLISH) == sorted(ENGLISH)
    assert list(RUSSIAN) == sorted(RUSSIAN)


def is_used(key: str, names: set[str]) -> bool:
    """Whether a literal is the key, or a template that makes it, such as `mark.${kind}`."""
    if key in names:
        return True
    templates = [name for name in names if "${" in name and "." in name.split("${")[0]]
    patterns = (re.sub(r"\\\$\\\{[^}]*\\\}", r"[\\w-]+", re.escape(name)) for name in templates)
    return any(re.fullmatch(pattern, key) for pattern in patterns)


def test_each_text_is_used() -> None:
    names = {name for code in SOURCES.values() for name in literals(code)}
    assert not [key for key in ENGLISH if not is_used(key, names)]


@each_case("name", sorted(CODE))
def test_each_key_exists(name: str) -> None:
    called = re.findall(r'\btext\("([^"]+)"', CODE[name])
    marked = re.findall(r'"?data-(?:text|label)"?[:,=]\s*"([^"]+)"', SOURCES[name])
    assert not [key for key in called + marked if key not in ENGLISH]


def test_the_documents_name_texts_that_exist() -> None:
    for document in ("page/index.html", "playground/page.html"):
        marked = re.findall(r'data-(?:text|label)="([^"]+)"', SOURCES[document])
        assert marked
        assert not [key for key in marked if key not in ENGLISH]


@each_case("name", sorted(CODE))
def test_code_contains_no_texts(name: str) -> None:
    """No literal reads like a text: words of letters that begin with a capital or are not ASCII."""
    looks_like_text = re.compile(r"^[A-Z][a-z]+ [a-z]|[^\W\d_a-zA-Z]")
    assert not [one for one in literals(CODE[name]) if looks_like_text.search(one)]

"""The knowledge as a folder of pages: everything has a page, every link leads somewhere, and nothing is loaded from elsewhere."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from broken.laying import BASE
from cli.running import medsafe
from showing.accessible import faults

from safety.knowledge.compiling import compile_folder

USERS = ("safety.engine", "safety.cli.docs", "safety.knowledge.collecting")
LIBRARY = compile_folder(BASE).library


class _Page(HTMLParser):
    """What a page links to and loads, what it calls itself, and whether every tag is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.open: list[str] = []
        self.headings = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if tag == "a":
            self.links.append(told.get("href") or "")
        if tag in ("script", "img", "link", "iframe"):
            self.loads += [told.get("src") or told.get("href") or ""] if told.get("src") or told.get("href") else []
        self.headings += tag == "h1"
        if tag not in ("meta", "link", "input", "br", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("docs")
    with pytest.MonkeyPatch.context() as patch:
        for module in USERS:
            patch.setattr(f"{module}.base_folder", lambda: BASE)
        patch.setenv("MEDSAFE_CACHE", str(tmp_path_factory.mktemp("cache")))
        (out / "site").mkdir()
        assert medsafe("docs", "--out", out / "site").code == 0
    return out / "site"


def _pages(folder: Path) -> dict[Path, _Page]:
    return {path: _Page(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html")}


def test_every_rule_medicine_class_condition_and_source_has_a_page(folder: Path) -> None:
    items = (*LIBRARY.entries, *LIBRARY.drugs, *LIBRARY.classes, *LIBRARY.conditions, *LIBRARY.sources)
    assert [i.id for i in items if not (folder / f"{i.id.replace('.', '/', 1)}.html").is_file()] == []
    index = json.loads((folder / "search.js").read_text(encoding="utf-8").removeprefix("const INDEX = ").rstrip(";\n"))
    assert {row[0] for row in index} == {i.id for i in items}


def test_every_link_leads_to_a_page_of_the_folder_or_to_an_address(folder: Path) -> None:
    wrong = [
        (path.name, link)
        for path, page in _pages(folder).items()
        for link in page.links
        if not link.startswith(("http", "#")) and not (path.parent / link.partition("#")[0]).is_file()
    ]
    assert wrong == []


def test_a_page_loads_nothing_from_elsewhere_and_is_whole(folder: Path) -> None:
    for path, page in _pages(folder).items():
        assert page.open == [], path
        assert faults(path.read_text(encoding="utf-8")) == [], path
        assert page.headings == 1, path
        assert [one for one in page.loads if not (path.parent / one).is_file()] == [], path


def test_a_rule_shows_its_cases_its_sources_and_that_nobody_has_signed_it(folder: Path) -> None:
    text = (folder / "interaction/warfarin-nsaid.html").read_text(encoding="utf-8")
    assert "by nobody licensed" in text
    assert "../source/a-label.html" in text
    assert "not applicable" in text
    assert "{nsaid}" not in re.sub(r"<code>.*?</code>", "", text, flags=re.S)


@pytest.mark.parametrize(("typed", "found"), [("advil", "ibuprofen"), ("warfrin", "What is near it, warfarin")])
def test_a_search_finds_brands_and_names_that_are_misspelt(typed: str, found: str, folder: Path) -> None:
    browser = shutil.which("chromium")
    if browser is None:
        pytest.skip("no chromium here: apt-get install chromium")
    page = f"{(folder / 'index.html').as_uri()}#{typed}"
    told = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", page], capture_output=True, text=True, timeout=60,
        check=True,
    ).stdout  # fmt: skip
    assert found in told.partition('id="told"')[2]


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine")
    ran = medsafe("docs", "--out", tmp_path)
    assert ran.code == 2
    assert [p.name for p in tmp_path.iterdir()] == ["letter.txt"]

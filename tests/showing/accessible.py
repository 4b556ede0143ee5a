"""What of a page a keyboard, a screen reader or weak eyes could not use; what axe-core found by hand is kept by this."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html.parser import HTMLParser

_VOID = {"meta", "br", "input", "circle", "line", "rect", "link", "img"}
_REFERS = ("aria-labelledby", "aria-describedby", "aria-controls", "for")


class _Reading(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []
        self.ids: list[str] = []
        self.refers: list[tuple[str, str]] = []
        self.headings: list[int] = []
        self.counted: dict[str, int] = {}
        self.labelled: set[str] = set()
        self.unlabelled: list[dict[str, str]] = []
        self.open: list[str] = []
        self.heads: list[str] = []
        self.words: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {key: value or "" for key, value in attrs}
        self.counted[tag] = self.counted.get(tag, 0) + 1
        if "id" in told:
            self.ids.append(told["id"])
        self.refers += [(key, i) for key in _REFERS if key in told for i in told[key].split()]
        if tag == "label":
            self.labelled.add(told.get("for", ""))
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        self._asks(tag, told)
        self._needs(tag, told)
        if tag not in _VOID:
            self.open.append(tag)
        if tag in ("title", "th", "a", "summary", "button"):
            self.words[tag] = told.get("aria-label", "")

    def _asks(self, tag: str, told: Mapping[str, str]) -> None:
        if tag in ("input", "textarea", "select") and told.get("type") not in ("hidden", "submit"):
            self.unlabelled.append(dict(told))

    def _needs(self, tag: str, told: Mapping[str, str]) -> None:
        named = any(told.get(key) for key in ("aria-label", "aria-labelledby"))
        if tag == "html" and not told.get("lang"):
            self.faults.append("no language")
        if tag == "th" and told.get("scope") not in ("col", "row"):
            self.faults.append("a table head without scope")
        if (told.get("role") == "img" or tag in ("meter", "nav")) and not named:
            self.faults.append(f"<{tag}> without a name")
        if tag == "img" and "alt" not in told:
            self.faults.append("a picture without words")
        scrolls = tag == "pre" or "tall" in told.get("class", "").split()
        if scrolls and tag != "textarea" and told.get("tabindex") != "0":
            self.faults.append(f"<{tag}> scrolls, and no keyboard reaches it")
        if int(told.get("tabindex", "0")) > 0:
            self.faults.append("an order of its own for the tab key")

    def handle_data(self, data: str) -> None:
        for tag in self.words:
            if tag in self.open:
                self.words[tag] += data.strip()

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID:
            self.open.pop()
        if tag in self.words and not self.words.pop(tag):
            self.faults.append(f"<{tag}> without a word")


def faults(page: str) -> list[str]:
    """What is wrong with a page: places, names, headings, tables, questions, what scrolls."""
    read = _Reading()
    read.feed(page)
    found = list(read.faults)
    found += [f"the place `{i}` twice" for i in sorted({i for i in read.ids if read.ids.count(i) > 1})]
    found += [f"{key} names `{i}`, which is not there" for key, i in read.refers if i not in read.ids]
    if read.counted.get("main") != 1 or "main" not in read.ids or 'href="#main"' not in page:
        found.append("no one main part, with a way to skip to it")
    if read.headings[:1] != [1]:
        found.append("does not begin with its heading")
    found += [f"h{a} is followed by h{b}" for a, b in zip(read.headings, read.headings[1:], strict=False) if b > a + 1]
    found += [
        f"a field without a label: {t}" for t in read.unlabelled if t.get("id") not in read.labelled and not t.get("aria-label")
    ]
    return found


def contrast(one: str, other: str) -> float:
    """How far two colors stand apart (WCAG 2): 4.5 for words, 3 for what is drawn."""
    light, dark = sorted(map(_luminance, (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    digits = color.lstrip("#")
    whole = digits if len(digits) == 6 else "".join(c * 2 for c in digits)
    parts = (int(whole[n : n + 2], 16) / 255 for n in (0, 2, 4))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue

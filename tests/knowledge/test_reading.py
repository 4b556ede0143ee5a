"""YAML as an author means it: words stay words, places are right, and no text at all makes the reader fall over."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
import yaml
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from safety.knowledge.documents import read_bytes, read_text

_YAML_LIKE = st.text(alphabet="ab:-?,[]{}&*!|>'\"%@`#<~ \n\t\r\x00\x85\ufeff\u2028é😀0.1", max_size=60)
_WORD = st.text(st.characters(exclude_categories=["Cc", "Cs", "Cn", "Zl", "Zp"]), max_size=8)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15), 10**15) | _WORD,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_WORD.filter(lambda k: k != "<<"), inner, max_size=4),
    max_leaves=12,
)


def _value(text: str) -> Any:
    document, problems = read_text(text, "f.yaml")
    assert document is not None, problems
    return document.value


# ------------------------------------------------------------------ laws


@settings(max_examples=examples(400), deadline=None)
@given(st.text() | _YAML_LIKE)
def test_any_text_gives_a_document_or_problems_and_never_an_exception(text: str) -> None:
    document, problems = read_text(text, "f.yaml")
    assert (document is None) == bool(problems)
    for problem in problems:
        assert problem.code.startswith("K0")
        assert problem.place.file == "f.yaml"
        assert problem.place.line >= 1
        assert problem.place.column >= 1


@settings(max_examples=examples(80), deadline=None)
@given(st.binary())
def test_any_bytes_give_a_document_or_problems_and_never_an_exception(data: bytes) -> None:
    document, problems = read_bytes(data, "f.yaml")
    assert (document is None) == bool(problems)


@settings(max_examples=examples(150), deadline=None)
@given(st.dictionaries(_WORD.filter(lambda k: k != "<<"), _JSON, max_size=5))
def test_every_json_object_is_read_as_json_reads_it(value: dict[str, Any]) -> None:
    assert _value(json.dumps(value, ensure_ascii=False)) == value


@pytest.mark.parametrize("indent", [None, 2, "\t"])
def test_json_is_read_however_it_is_indented(indent: Any) -> None:
    value = {"patient": {"age": 72, "medications": ["warfarin 5 mg", {"drug": "Advil"}]}, "plan": []}
    assert _value(json.dumps(value, indent=indent)) == value


_KEY = st.from_regex(r"[a-z]{1,8}", fullmatch=True)


@settings(max_examples=examples(80), deadline=None)
@given(st.dictionaries(_KEY, st.from_regex(r"[a-z]{0,5}[b-m]", fullmatch=True), min_size=1))
def test_every_place_points_at_the_text_that_stands_there(value: dict[str, str]) -> None:
    text = yaml.safe_dump({"top": value}, default_flow_style=False)
    document, problems = read_text(text, "f.yaml")
    assert document is not None, problems
    lines = text.split("\n")
    for key, told in value.items():
        at_key, at_value = document.place(("top", key), of_key=True), document.place(("top", key))
        assert lines[at_key.line - 1][at_key.column - 1 :].lstrip("'").startswith(key)
        assert lines[at_value.line - 1][at_value.column - 1 :].lstrip("'").startswith(told)


# ------------------------------------------------------------------ words stay words


@pytest.mark.parametrize("word", ["yes", "no", "Yes", "NO", "on", "off", "On", "y", "n"])
def test_a_word_that_yaml_once_took_for_a_truth_stays_a_word(word: str) -> None:
    assert _value(f"a: {word}") == {"a": word}


@pytest.mark.parametrize(
    "text",
    ["12:30", "1:30:00", "190:20:30", "0o17", "017", "0x1F", "0b101", "1_000", "1e3", "1.5e3", ".5", "5.", ".inf", ".nan",
     "-.inf", "2026-11-20", "2026-11-20T10:00:00Z", "+", "1,000", "<30", "=", "9" * 25, "0" * 30],
)  # fmt: skip
def test_what_yaml_once_took_for_a_number_or_a_date_stays_text(text: str) -> None:
    assert _value(f"a: {text}") == {"a": text}


@pytest.mark.parametrize(
    ("text", "value"),
    [("5", 5), ("-5", -5), ("+5", 5), ("0", 0), ("0.1", Decimal("0.1")), ("-0.10", Decimal("-0.10")), ("true", True),
     ("FALSE", False), ("", None), ("~", None), ("null", None), ('"5"', "5"), ("'true'", "true"), ('""', ""), ('"null"', "null")],
)  # fmt: skip
def test_a_plain_number_is_exact_and_what_is_quoted_is_text(text: str, value: Any) -> None:
    read = _value(f"a: {text}")["a"]
    assert (read, type(read)) == (value, type(value))


def test_a_byte_order_mark_is_not_part_of_the_first_key() -> None:
    document, _ = read_bytes("\ufeffid: x\n".encode(), "f.yaml")
    assert document is not None
    assert document.value == {"id": "x"}
    assert str(document.place(("id",), of_key=True)) == "f.yaml:1:1"


def test_a_number_of_decimals_is_never_rounded() -> None:
    assert _value("a: 0.1234567890123456789012345678")["a"] == Decimal("0.1234567890123456789012345678")


# ------------------------------------------------------------------ places and problems


def test_the_place_of_what_is_not_there_is_the_nearest_thing_around_it() -> None:
    document, _ = read_text("a:\n  b:\n    - c: 1\n", "f.yaml")
    assert document is not None
    assert str(document.place(("a", "b", 0, "nothing"))) == "f.yaml:3:7"
    assert str(document.place(("a", "x", "y"))) == "f.yaml:2:3"
    assert str(document.place(("z",))) == "f.yaml:1:1"


def test_every_doubled_key_of_a_file_is_told() -> None:
    document, problems = read_text("a: 1\nb: {c: 1, c: 2}\na: 3\n", "f.yaml")
    assert document is None
    assert [str(p) for p in problems] == [
        "f.yaml:2:11: K005 `c` stands here a second time\n  hint: the first is on line 2",
        "f.yaml:3:1: K005 `a` stands here a second time\n  hint: the first is on line 1",
    ]


@pytest.mark.parametrize(
    "text", ['"\\e[31mred": 1\n"\\e[31mred": 2\n', "a: !<tag:x%1B[31m> b\n", 'a: "\\e[31m\n', '"\\u202ea": 1\n"\\u202ea": 2\n']
)
def test_a_problem_never_echoes_a_control_character(text: str) -> None:
    document, problems = read_text(text, "f.yaml")
    assert document is None
    assert all(c.isprintable() for p in problems for c in f"{p.place}{p.code}{p.message}{p.hint}"), problems


@pytest.mark.parametrize(
    "text",
    ["!!python/object/apply:os.system [a]", "!!python/tuple [a]", "!!set {a: }", "!!omap [a]", "!mine {a: b}", "!mine word",
     "!!binary word", "!!int word", "!!str 5", "!!timestamp word"],
)  # fmt: skip
def test_a_tag_that_would_change_what_is_read_is_refused(text: str) -> None:
    document, problems = read_text(f"a: {text}\n", "f.yaml")
    assert document is None
    assert [(p.code, str(p.place)) for p in problems] == [("K008", "f.yaml:1:4")]


def test_an_anchor_used_twice_is_read_twice() -> None:
    assert _value("a: &x [1, 2]\nb: *x\n") == {"a": [1, 2], "b": [1, 2]}


@pytest.mark.parametrize("depth", [41, 200, 5000, 100_000])
@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "])
def test_nesting_without_end_is_refused_at_any_depth(opening: str, depth: int) -> None:
    document, problems = read_text("a:\n  " + opening * depth, "f.yaml")
    assert document is None
    assert problems[0].code in {"K004", "K007", "K008"}

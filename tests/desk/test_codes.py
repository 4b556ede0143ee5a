"""Every code of a problem is explained, and the lines that are said to be refused are refused."""

from __future__ import annotations

import re

import pytest
import yaml
from broken.laying import FAULTS
from broken.test_messages import EXPECTED, PACKAGE
from cli.running import medsafe

from safety.desk.codes import codes

TOLD = yaml.safe_load((PACKAGE / "desk/codes.yaml").read_text(encoding="utf-8"))
LITERAL = re.compile(r'"([KRFSE][0-9]{3})"')


def _in_source() -> set[str]:
    return {code for path in PACKAGE.rglob("*.py") for code in LITERAL.findall(path.read_text(encoding="utf-8"))}


def test_every_code_is_explained_and_nothing_that_is_none() -> None:
    assert set(codes()) == _in_source()


def test_each_says_what_it_means_shows_it_and_how_to_mend_it() -> None:
    assert [c.code for c in codes().values() if not (c.means and c.example and c.mend)] == []
    assert len({c.means for c in codes().values()}) == len(codes())


@pytest.mark.parametrize("code", [code for code, told in TOLD.items() if "line" in told])
def test_a_line_that_is_said_to_be_refused_is_refused_with_that_code(code: str) -> None:
    refused = set()
    for name, expected in EXPECTED.items():
        for line in re.findall(rf"^{re.escape(expected['at'])}:([0-9]+):[0-9]+: {code} ", expected["says"], re.M):
            (fault,) = FAULTS.glob(f"{name}.*")
            refused.add(fault.read_text(encoding="utf-8").splitlines()[int(line) - 1].strip())
    assert TOLD[code]["line"] in refused


def test_a_code_is_explained_on_the_terminal_in_80_columns_and_as_json() -> None:
    every = medsafe("explain")
    assert every.code == 0
    assert max(map(len, every.out.splitlines())) <= 80
    one = medsafe("explain", "k301")
    assert "example  - drug: {id: drug.warfrin, as: a}" in one.out
    assert medsafe("explain", "K301", "--json").rows[0]["code"] == "K301"


def test_a_code_that_is_none_is_refused() -> None:
    ran = medsafe("explain", "K3O1")
    assert ran.code == 2
    assert "`K3O1` is not a code" in ran.err

# SPDX-License-Identifier: Apache-2.0
"""Expressions of signature files, evaluated with NumPy."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tvmffi_conform.examples import Entries
from tvmffi_conform.size_expression import NotHere, NoValue, evaluate, functions, holds

np = pytest.importorskip("numpy")

EXPRESSIONS = {
    "2*d": 8,
    "(n + 3) // 4": 2,
    "1 <= d < n": True,
    "d > n": False,
    "not (n % 4) or d == 4": True,
    "len(parts) - -1": 3,
    "indices < n": True,
    "min(n, d) ** 2": 16,
    "indices[-1] == d and indices[0] == 0": True,
    "max(indices) < d": False,
    "sum(indices) == n or parts is None": False,
    "parts is not None and parts[0] == 1": True,
    "all(indices[1:] >= indices[:-1])": True,
    "indices.shape[0] + indices.size": 4,
    "n if d > n else d": 4,
    'table["k"]': 7,
    'table["none"] is None': True,
    "(n & (n - 1)) == 0": False,
    "d & (d - 1) == 0 and d >> 1 == 2 and d << 1 == 8 and 6 ^ 3 == 5 and ~d | 1 == -5": True,
    "indices < arange(2) + 5": True,
    "not indices > 4": True,
    "isfinite(indices) and inf > n": True,
    "n / 0 == inf and n // 0 == inf": True,
    "scale is None or scale > n": True,
    "parts + (3,) == [1, 2, 3]": True,
    'mode == "relu" and dtype == "int8"': True,
    "sort(indices, descending=True)[0]": 4,
    "[1, 2][1]": 2,
    "ndim(parts) + ndim(n)": 1,
    "True + True": 2,
}


@pytest.mark.parametrize(("text", "value"), EXPRESSIONS.items(), ids=EXPRESSIONS)
def test_expressions(text: str, value: object) -> None:
    names = {"n": 5, "d": 4, "parts": [1, 2], "indices": np.array([0, 4]), "scale": None}
    table = Entries({"entries": {"k": {}, "none": {}}}, {"k": 7})
    names |= {"table": table, "mode": "relu", "dtype": np.dtype("int8")}
    assert holds(evaluate(text, names)) if value is True else evaluate(text, names) == value


PAGE = Path(__file__).resolve().parents[2] / "conformance" / "EXPRESSIONS.md"


def page_block(name: str) -> str:
    found = re.search(rf"<!-- test: {name} -->\n```text\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert found
    return found[1]


@pytest.mark.parametrize("line", page_block("expressions").splitlines())
def test_expressions_of_the_page(line: str) -> None:
    names = {"n": 4, "m": 6, "x": np.array([[1, 2, 3], [4, 5, 6]], np.float32)}
    text, due = (part.strip() for part in line.split("->"))
    assert np.array_equal(evaluate(text, names), evaluate(due, {}))


def test_all_functions_of_the_page_are_known() -> None:
    assert sorted(functions()) == page_block("functions").replace(",", "").split()


@pytest.mark.parametrize("text", ["None + 1", "x[0]", "x + ones(3)", "len(n)"])
def test_an_expression_may_have_no_value(text: str) -> None:
    with pytest.raises(NoValue):
        evaluate(text, {"n": 5, "x": 2 if "[" in text else np.zeros(2)})


@pytest.mark.parametrize("text", ["m", "x.y", "f(n)", "(", "__import__('os')", "{n: 1}", "n.real"])
def test_what_is_no_expression_is_not_evaluated(text: str) -> None:
    with pytest.raises(NotHere):
        evaluate(text, {"n": 5})

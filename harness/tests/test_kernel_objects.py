# SPDX-License-Identifier: Apache-2.0
"""Typed Python functions that make and take objects, with Python values in the place of these."""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path

import kernel_source
import pytest
from tvmffi_conform import HarnessError
from tvmffi_conform.cli import app
from tvmffi_conform.kernels import described_in, write_described, write_judged_by
from typer.testing import CliRunner

np = pytest.importorskip("numpy")
TOOL = os.environ.get("TVMFFI_CONFORM_TOOL", "")
MODULES = Path(TOOL).resolve().parents[1] / "conformance" / "tests" / "kernels" if TOOL else None

HEAD = """
from typing import Annotated, Any, Dict, List, Optional, Tuple, Union
import numpy as np
from tvmffi_conform.kernels import Object, Out, Range, Retained, Tensor, Values, kernel

class Count:
    def __init__(self, count):
        self.count = count

    def add(self, n):
        if n < 0: raise ValueError("n must be 0 or more")
        self.count += n
        return self.count

    def adder(self): return self.add
    def all(self, parts): return self.add(sum(part.sum() for part in parts))
    def itself(self): return self
    def table(self): return np.arange(self.count)
    def nothing(self): self.count += 100
    def wrong(self): return None + 1
    def name(self): return "a\\\\b"

@kernel
def tally(start: int) -> Object["kernels.Tally"]:
    return Count(start)
"""
NEEDS = '[{"call": "tally", "arguments": {"start": 3}, "keep": "count"}]'
TOTAL = f"""
@kernel(needs={NEEDS})
def total(tally: Object["kernels.Tally"]) -> int:
    return tally.count
"""


source = partial(kernel_source.source, head=HEAD)
functions = partial(kernel_source.functions, head=HEAD)


def written(folder: Path, text: str) -> dict:
    """What the signature file for a text holds of its last kernel."""
    return list(functions(folder, text).values())[-1]


TYPES = {
    "Object": {"kind": "object"},
    'Object["kernels.Tally"]': {"kind": "object", "type_key": "kernels.Tally"},
    "Optional[Object]": {"kind": "object", "optional": True},
    'Retained[Object["a.B"]]': {"kind": "object", "type_key": "a.B", "retained": True},
}


@pytest.mark.parametrize(("annotation", "told"), TYPES.items(), ids=TYPES)
def test_an_annotation_is_an_object(annotation: str, told: dict, tmp_path: Path) -> None:
    text = f"@kernel\ndef f(a: {annotation}) -> {annotation}: ...\n"
    signature = described_in(source(tmp_path, text))[-1].signature()
    assert signature["parameters"] == [{"name": "a", **told}]
    assert signature["result"] == told


def test_an_object_is_what_the_function_that_makes_it_returns(tmp_path: Path) -> None:
    told = functions(tmp_path, TOTAL)
    (parameter,) = told["total"]["parameters"]
    assert parameter["value"] == {"kept": "count"}
    given = {"arguments": {"tally": {"kept": "count"}}, "expected": {"result": "3"}}
    assert told["total"]["calls"] == [given]
    for call in told["tally"]["calls"]:
        assert set(call) == {"arguments"}


def test_each_call_has_an_object_of_its_own(tmp_path: Path) -> None:
    text = (
        f'@kernel(needs={NEEDS}, calls=[{{"arguments": {{"n": 70}}}},\n'
        '    {"arguments": {"count": {"kept": "count"}, "n": 80}}])\n'
        "def add(count: Object, n: Annotated[int, Range(-2, 9)]) -> int: return count.add(n)\n"
    )
    calls = written(tmp_path, text)["calls"]
    assert [call["expected"]["result"] for call in calls[:2]] == ["73", "83"]
    served = [call for call in calls[2:] if "refused" not in call]
    assert len(served) > 3
    for call in served:
        assert call["expected"]["result"] == str(3 + call["arguments"]["n"])
    refused = [call for call in calls if "refused" in call]
    assert {"kind": "ValueError"} in [call["refused"] for call in refused]
    assert all(call["arguments"]["count"] == {"kept": "count"} for call in refused)


def test_steps_call_methods_and_what_was_kept(tmp_path: Path) -> None:
    text = (
        "@kernel(needs=[\n"
        '    {"call": "tally", "arguments": {"start": 3}, "keep": "count"},\n'
        '    {"call": "count.add", "arguments": [4]},\n'
        '    {"call": "count.add", "arguments": [-1], "refused": True},\n'
        '    {"call": "count.adder", "keep": "more"},\n'
        '    {"call": "more", "arguments": [2]},\n'
        '    {"call": "count.all", "arguments": [[np.arange(4), {"elements": [10], "dtype":'
        ' "int8"}]]},\n'
        '    {"call": "put", "arguments": {"count": {"kept": "count"}, "x": np.ones(100)}}])\n'
        "def total(count: Object) -> int: return int(count.count)\n"
        '@kernel(needs=[{"call": "tally", "arguments": {"start": 3}, "keep": "count"}])\n'
        'def put(count: Object, x: Tensor[np.float64, "n"]) -> int:\n'
        "    return int(count.add(int(x.sum())))\n"
    )
    told = functions(tmp_path, text)["total"]
    assert [call["expected"]["result"] for call in told["calls"]] == ["125"]
    steps = told["needs"]
    for array in (steps[5]["arguments"][0][0], steps[6]["arguments"]["x"]):
        assert (tmp_path / "out" / array["npy"]).is_file()


TWO = (
    'needs=[{"call": "tally", "arguments": {"start": 1}, "keep": "a"},'
    ' {"call": "tally", "arguments": {"start": 10}, "keep": "b"}]'
)


@pytest.mark.parametrize(
    ("more", "names", "result"),
    [
        ("", ("a", "b"), "1"),
        (', parameters={"a": {"value": {"kept": "b"}}}', ("a", "b"), "100"),
        (
            ', parameters={"x": {"value": {"kept": "b"}}, "y": {"value": {"kept": "a"}}}',
            ("x", "y"),
            "19",
        ),
        (', parameters={"x": {"value": {"kept": "b"}}}', ("x", "b"), "100"),
    ],
)
def test_a_parameter_is_what_is_kept_under_its_name(
    more: str, names: tuple[str, str], result: str, tmp_path: Path
) -> None:
    one, other = names
    text = (
        f"@kernel({TWO}{more})\n"
        f"def f({one}: Object, {other}: Object) -> int:\n"
        f"    return {one}.count ** 2 if {one}.count == {other}.count "
        f"else 2 * {one}.count - {other}.count if {one}.count > 1 else 1\n"
    )
    assert written(tmp_path, text)["calls"][0]["expected"]["result"] == result


def test_an_object_may_be_none(tmp_path: Path) -> None:
    text = (
        f'@kernel(needs={NEEDS}, where=["count is None or n < 3"])\n'
        "def f(count: Optional[Object], n: Annotated[int, Range(0, 5)]) -> int:\n"
        "    return n if count is None else count.add(n)\n"
    )
    calls = written(tmp_path, text)["calls"]
    given = [call["arguments"] for call in calls]
    assert {json.dumps(one["count"]) for one in given} == {"null", '{"kept": "count"}'}
    for call in calls:
        count, n = call["arguments"]["count"], call["arguments"]["n"]
        assert count is None or n < 3
        assert call["expected"]["result"] == str(n if count is None else 3 + n)
    text = "@kernel\ndef f(count: Optional[Object]) -> bool: return count is None\n"
    calls = written(tmp_path, text)["calls"]
    assert calls == [{"arguments": {"count": None}, "expected": {"result": "True"}}]


RESULTS = {
    "Object: return Count(1)": None,
    "Object: return {'a': 1}": None,
    "Object: return [1, 2]": None,
    "Object: return np.ones(2)": None,
    "Object: return None": None,
    "Optional[Object]: return None": {"result": "None"},
    "Tuple[Object, int]: return Count(1), 2": {"result[1]": "2"},
    "List[Object]: return []": {"result": "()"},
    "Dict[str, Union[int, Object]]: return {'a': 1, 'b': Count(1)}": {"result.a": "1"},
    "Any: return Count(1)": None,
    "Any: return [4, Count(1), 'x']": {"result[0]": "4", "result[2]": '"x"'},
    "Any: return (4, 5)": {"result": "(4, 5,)"},
    "Any: return None": {"result": "None"},
    "List[Any]: return [4, Count(1), 'x']": {"result[0]": "4", "result[2]": '"x"'},
    "Tuple[int, Any]: return 4, [Count(1), 5]": {"result[0]": "4", "result[1][1]": "5"},
    "Dict[str, Any]: return {'a': {'b': Count(1), 'c': 5}}": {"result.a.c": "5"},
}


@pytest.mark.parametrize(("body", "expected"), RESULTS.items(), ids=RESULTS)
def test_an_object_in_a_result_is_not_stated(
    body: str, expected: dict | None, tmp_path: Path
) -> None:
    (call, *_) = written(tmp_path, f"@kernel\ndef f(n: int) -> {body}\n")["calls"]
    assert call.get("expected") == expected


UNSTATABLE = {
    "@kernel\ndef f(n: int) -> int: return Count(1)\n": "f: result: <",
    "@kernel\ndef f(n: int) -> List[int]: return [n, Count(1)]\n": "f: result[1]: <",
    "@kernel\ndef f(n: int) -> Dict[str, Dict[str, int]]: return {'a': {'b': 3j}}\n": (
        "f: result.a.b: 3j: no signature file can state this result; the annotation of an object"
    ),
    '@kernel(calls=[{"arguments": {"n": 70}}])\n'
    "def f(n: int) -> List[int]: return [n, Count(1) if n == 70 else 1]\n": (
        "f: calls[0]: result[1]: <"
    ),
    f'@kernel(needs={NEEDS}, sequences=[{{"steps": [{{"call": "tally", "arguments": {{"start": 5}},'
    ' "keep": "a"}, {"call": "f", "arguments": {"count": {"kept": "a"}}}]}])\n'
    "def f(count: Object) -> Tuple[int, int]: return 1, count if count.count == 5 else 1\n": (
        "f: sequences[0].steps[1]: result[1]: <"
    ),
}


@pytest.mark.parametrize(("text", "told"), UNSTATABLE.items(), ids=UNSTATABLE.values())
def test_a_result_that_cannot_be_stated_is_named(text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(HarnessError) as error:
        write_described(source(tmp_path, text), tmp_path / "out")
    assert str(error.value).startswith(told)


def test_scalars_of_numpy_are_numbers_in_steps(tmp_path: Path) -> None:
    start = '{"call": "tally", "arguments": {"start": np.int64(5)}, "keep": "count"}'
    text = (
        f"@kernel(needs=[{start}, "
        '{"call": "count.add", "arguments": [np.uint8(2)]}], '
        f'sequences=[{{"steps": [{start}, {{"call": "count.add", "arguments": [np.float32(0.5)]}}, '
        '{"call": "f", "arguments": {"count": {"kept": "count"}, "yes": np.bool_(True)}}]}])\n'
        "def f(count: Object, yes: bool) -> float:\n"
        "    assert type(count.count) in (int, float) and yes in (True, False)\n"
        "    return float(count.count)\n"
    )
    notes: list[str] = []
    told = functions(tmp_path, text, notes)["f"]
    assert {call["expected"]["result"] for call in told["calls"]} == {"7.0"}
    steps = told["sequences"][0]["steps"]
    assert [step.get("expected") for step in steps] == [None, {"result": "5.5"}, {"result": "5.5"}]
    assert steps[1]["arguments"] == [0.5]
    assert notes == []


def test_a_function_that_needs_others_without_an_object_is_as_before(tmp_path: Path) -> None:
    """Its calls have no object that tells what these brought about: its author knows."""
    text = (
        "@kernel\ndef remember(n: Annotated[int, Values(1)]) -> None: assert n == 1\n"
        '@kernel(needs=[{"call": "remember", "arguments": {"n": 2}}])\n'
        "def recall() -> int: return 2\n"
    )
    assert written(tmp_path, text)["calls"][0]["expected"]["result"] == "2"


REFUSED = {
    "@kernel\ndef f(a: Object[5]): ...\n": 'is written as Object, or as Object["kernels.Tally"]',
    "@kernel\ndef f(a: Object) -> int: return 1\n": (
        'f: a: say which call makes the object: "needs": [{"call": ..., "arguments": ..., '
    ),
    '@kernel(needs=[{"call": "tally", "arguments": {"start": 1}}])\n'
    "def f(a: Object) -> int: return 1\n": "f: a: say which call makes the object",
    f'@kernel({TWO}, parameters={{"a": {{"value": {{"kept": "c"}}}}}})\n'
    "def f(a: Object) -> int: return 1\n": 'f: a: no step of "needs" has "keep": "c"',
    f'@kernel({TWO}, parameters={{"a": {{"value": "b"}}}})\n'
    "def f(a: Object) -> int: return 1\n": 'f: a: an object is {"kept": NAME}',
    f"@kernel({TWO})\ndef f(c: Object) -> int: return 1\n": (
        'f: c: say which of a, b it is: "value": {"kept": "a"}'
    ),
    f'@kernel({TWO}, calls=[{{"arguments": {{"a": {{"kept": "d"}}}}}}])\n'
    "def f(a: Object) -> int: return 1\n": 'f: calls[0]: a: no step of "needs" has "keep": "d"',
    '@kernel(needs=[{"call": "count"}])\ndef f(n: int) -> int: return 1\n': (
        'f: needs[0].call: "count" is neither a function of this file nor kept by an earlier step'
    ),
    '@kernel(needs=[{"call": "pool.add", "keep": "pool"}])\ndef f(n: int) -> int: return 1\n': (
        'f: needs[0].call: "pool.add" is neither a function of this file nor kept'
    ),
    '@kernel(needs=["tally"])\ndef f(n: int) -> int: return 1\n': (
        'f: needs: expected a list of steps, such as {"call": NAME}'
    ),
    '@kernel(needs=[{"call": "tally", "arguments": {"start": {"kept": "x"}}, "keep": "a"}])\n'
    "def f(a: Object) -> int: return 1\n": 'f: needs[0]: no earlier step has "keep": "x"',
    f'@kernel(needs={NEEDS[:-1]}, {{"call": "count.less", "arguments": []}}])\n'
    "def f(a: Object) -> int: return 1\n": (
        'f: each call was left out: needs[1]: "count" (Count in Python) has no method less'
    ),
    f'@kernel(needs={NEEDS[:-1]}, {{"call": "count", "arguments": []}}])\n'
    "def f(a: Object) -> int: return 1\n": 'needs[1]: "count" (Count in Python) cannot be called',
    '@kernel(needs=[{"call": "tally", "keep": "a"}])\ndef f(a: Object) -> int: return 1\n': (
        "f: each call was left out: needs[0]: start is not stated"
    ),
    f'@kernel(needs={NEEDS[:-1]}, {{"call": "count.add", "arguments": [-5]}}])\n'
    "def f(a: Object) -> int: return 1\n": (
        "f: needs[1] is listed as served, but the Python function raises ValueError: n must be 0 "
        'or more; mark the step as "refused", or correct one of the two'
    ),
    f'@kernel(needs={NEEDS[:-1]}, {{"call": "count.wrong"}}])\n'
    "def f(a: Object) -> int: return 1\n": (
        "f: needs[1]: the Python function ended with TypeError"
    ),
    f'@kernel(needs={NEEDS[:-1]}, {{"call": "count.add", "arguments": {{"n": 1}}}}])\n'
    "def f(a: Object) -> int: return 1\n": (
        "f: needs[1].arguments: a method takes an array of arguments, such as [1]"
    ),
    f'@kernel(sequences=[{{"steps": [{NEEDS[1:-1]}, '
    '{"call": "count.add", "arguments": {"n": 1}}]}])\n'
    "def f(n: int) -> int: return 1\n": (
        "f: sequences[0].steps[1].arguments: a method takes an array of arguments, such as [1]"
    ),
    f"@kernel(needs={NEEDS})\ndef f(a: Object, b: Object) -> int: return 1\n": (
        'f: a: say which object it is: "value": {"kept": "count"}'
    ),
    f"@kernel(needs={NEEDS})\ndef f(count: Object, b: Optional[Object]) -> int: return 1\n": (
        'f: b: say which object it is: "value": {"kept": "count"}'
    ),
    f"@kernel({TWO})\ndef f(a: List[Object]) -> int: return 1\n": (
        "f: a: an object is a parameter of its own, not within another value"
    ),
    f"@kernel({TWO})\ndef f(a: Union[Object, int]) -> int: return 1\n": (
        "f: a: an object is a parameter of its own, not within another value"
    ),
    f"@kernel({TWO})\ndef f(*a: Object) -> int: return 1\n": (
        "f: an object is a parameter, not one of any number of them"
    ),
}


@pytest.mark.parametrize(("text", "told"), REFUSED.items(), ids=REFUSED.values())
def test_what_makes_no_object_is_refused(text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(HarnessError) as error:
        write_described(source(tmp_path, text), tmp_path / "out")
    assert told in str(error.value)


def test_an_oracle_says_what_comes_of_objects(tmp_path: Path) -> None:
    told = functions(tmp_path, TOTAL)
    for function in told.values():
        del function["calls"]
    (tmp_path / "k.json").write_text(json.dumps({"functions": told}))
    (tmp_path / "oracle.py").write_text(
        "class Count: count = 4\ndef tally(start): return Count\ndef total(tally): return 4\n"
    )
    oracle = str(tmp_path / "oracle.py")
    path = write_judged_by(tmp_path / "k.json", oracle, tmp_path / "out")
    (call,) = json.loads(path.read_text())["functions"]["total"]["calls"]
    assert call == {"arguments": {"tally": {"kept": "count"}}, "expected": {"result": "4"}}
    with pytest.raises(HarnessError, match=r"needs\[0\]: no Python function says what tally does"):
        write_judged_by(tmp_path / "k.json", f"{oracle}:total", tmp_path / "out")


# --- Sequences ------------------------------------------------------------------------------------

START = '{"call": "tally", "arguments": {"start": 5}, "keep": "count"}'


def steps(
    folder: Path, *listed: str, notes: list[str] | None = None, before: str = ""
) -> list[dict]:
    """The steps of a sequence that begins with one that keeps a tally of 5."""
    text = before + (
        f'@kernel(sequences=[{{"steps": [{START}, {", ".join(listed)}]}}])\n'
        "def f(n: int) -> int: return 17\n"
        "@kernel\ndef stub() -> Object: ...\n"
        '@kernel(needs=[{"call": "f", "arguments": {"n": 4}}])\n'
        "def hidden(x: int) -> int: return 4\n"
        '@kernel(needs=[{"call": "tally", "arguments": {"start": 1}, "keep": "count"}])\n'
        'def fill(count: Object, y: Out[Tensor[np.int64, "2"]]) -> None: y[...] = count.count\n'
    )
    return functions(folder, TOTAL + text, notes)["f"]["sequences"][0]["steps"][1:]


def test_what_comes_of_steps_with_objects_is_worked_out(tmp_path: Path) -> None:
    listed = [
        '{"call": "count.add", "arguments": [2]}',
        '{"call": "count.add", "arguments": [-1], "refused": {"kind": "ValueError"}}',
        '{"call": "count.add", "arguments": [3], "expected": {"result": "10"}}',
        '{"call": "total", "arguments": {"tally": {"kept": "count"}}, "text": "ten"}',
        '{"call": "count.adder", "keep": "more"}',
        '{"call": "more", "arguments": [1]}',
        '{"call": "count.nothing"}',
        '{"call": "count.itself", "keep": "same"}',
        '{"call": "same.itself"}',
        '{"call": "same.add", "arguments": [0]}',
        '{"call": "fill", "arguments": {"count": {"kept": "same"}, "y": {"shape": [2]}}}',
        '{"call": "count.table"}',
        '{"call": "count.table", "keep": "rows"}',
    ]
    made = steps(tmp_path, *listed)
    before = [json.loads(step) for step in listed]
    for step, one in zip(made, before):
        assert {**step, "expected": one.get("expected")} == {**one, "expected": one.get("expected")}
    expected = [step.get("expected", {}).get("result") for step in made]
    assert expected[:10] == ["7", None, "10", "10", None, "11", None, None, None, "111"]
    assert "expected" not in made[12]
    files = [made[10]["expected"]["y"], made[11]["expected"]["result"]]
    filled, table = (np.load(tmp_path / "out" / one["npy"]) for one in files)
    assert filled.tolist() == [111, 111]
    assert len(table) == 111


def test_what_comes_of_steps_without_objects_is_worked_out(tmp_path: Path) -> None:
    notes: list[str] = []
    made = steps(
        tmp_path,
        '{"call": "f", "arguments": {"n": 1}, "keep": "made"}',
        '{"call": "f", "arguments": {"n": 2}, "expected": {"result": "n + 15"}}',
        '{"call": "count.add", "arguments": [{"kept": "made"}]}',
        notes=notes,
    )
    results = [step["expected"]["result"] for step in made]
    assert results == ["17", "n + 15", "22"]
    assert notes == []


def test_what_is_kept_of_an_unknown_type_may_be_an_object(tmp_path: Path) -> None:
    text = "@kernel\ndef listed(n: int) -> Any: return [n]\n"
    step = '"call": "listed", "arguments": {"n": 1}'
    made = steps(tmp_path, f'{{{step}, "keep": "x"}}', f"{{{step}}}", before=text)
    assert [step.get("expected") for step in made] == [None, {"result": "(1,)"}]


def test_a_file_that_is_loaded_once_only_is_told_of(tmp_path: Path) -> None:
    text = """
import os
if "TVMFFI_CONFORM_TEST_LOADED" in os.environ: raise ValueError("registered twice")
os.environ["TVMFFI_CONFORM_TEST_LOADED"] = "1"
"""
    notes: list[str] = []
    try:
        made = steps(
            tmp_path,
            '{"call": "count.add", "arguments": [2]}',
            '{"call": "f", "arguments": {"n": 2}}',
            '{"call": "count.add", "arguments": [2]}',
            before=text,
            notes=notes,
        )
    finally:
        os.environ.pop("TVMFFI_CONFORM_TEST_LOADED", None)
    assert [step.get("expected") for step in made] == [{"result": "7"}, None, None]
    (note,) = notes
    assert note.startswith(
        "f: sequences[0].steps[2] is not worked out (it uses no object, and its Python file cannot "
        "be loaded again: "
    )
    assert "ValueError: registered twice), nor is what follows; only what is stated" in note


UNKNOWN = {
    '{"call": "count.less", "arguments": [1]}': '"count" (Count in Python) has no method less',
    '{"call": "count.nothing", "keep": "x"}, {"call": "count.add", "arguments": [{"kept": "x"}]}': (
        '"x" is not known in Python'
    ),
    '{"call": "count.nothing", "keep": "x"}, {"call": "x.run"}': '"x" is not known in Python',
    '{"call": "stub", "keep": "x"}': "its Python function returns None for an object",
    '{"call": "hidden", "arguments": {"x": 1}}': "it depends on calls before that keep nothing",
    '{"call": "hidden", "arguments": {"x": 1}, "expected": {"result": "4"}}': (
        "it depends on calls before that keep nothing"
    ),
    '{"call": "count.adder", "keep": "x"}, {"call": "hidden", "arguments": {"x": {"kept": "x"}}}': (
        "it depends on calls before that keep nothing"
    ),
}


@pytest.mark.parametrize(("listed", "reason"), UNKNOWN.items(), ids=UNKNOWN.values())
def test_a_sequence_is_as_it_was_behind_what_python_lacks(
    listed: str, reason: str, tmp_path: Path
) -> None:
    notes: list[str] = []
    before = '{"call": "count.add", "arguments": [1]}'
    made = steps(tmp_path, before, listed, before, notes=notes)
    assert made[0]["expected"] == {"result": "6"}
    assert made[1:] == json.loads(f"[{listed}, {before}]")
    (note,) = notes
    assert reason in note
    assert f"f: sequences[0].steps[{len(made) - 1}] is not worked out" in note


def test_a_result_that_no_formula_states_is_told_of(tmp_path: Path) -> None:
    notes: list[str] = []
    more = '{"call": "count.add", "arguments": [1]}'
    made = steps(tmp_path, '{"call": "count.name"}', more, notes=notes)
    assert [step.get("expected") for step in made] == [None, {"result": "6"}]
    assert "sequences[0].steps[1] is not worked out" in notes[0]


def test_a_step_that_the_body_refuses_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(
        HarnessError, match=r"f: sequences\[0\].steps\[1\] is listed as served.*ValueError: n must"
    ):
        steps(tmp_path, '{"call": "count.add", "arguments": [-1]}')


# --- The program ----------------------------------------------------------------------------------

SEQUENCES = """
@kernel(sequences=[{"repeatable": True, "steps": [
    {"call": "tally", "arguments": {"start": 5}, "keep": "count"},
    {"call": "count.add", "arguments": [2]},
    {"call": "count.add", "arguments": [-1], "refused": {"kind": "ValueError"}},
    {"call": "count.add", "arguments": [3]},
    {"call": "total", "arguments": {"tally": {"kept": "count"}}}]}])
def tally"""


def judged(folder: Path, text: str, module: str) -> tuple[int, list[str]]:
    """The exit code of the command for a module, and the cases that fail."""
    assert MODULES is not None
    report_file = folder / "report.json"
    with_sequences = HEAD.replace("\n@kernel\ndef tally", SEQUENCES)
    (folder / "kernels.py").write_text(with_sequences + text)
    words = ["kernels", str(folder / "kernels.py"), str(MODULES / f"{module}.so")]
    done = CliRunner().invoke(app, [*words, "--tool", TOOL, "--report", f"json:{report_file}"])
    cases = json.loads(report_file.read_text())["cases"]
    return done.exit_code, [one["id"] for one in cases if one["verdict"] == "fail"]


WRONG_TOTAL = TOTAL.replace("return tally.count", "return tally.count + 1")
JUDGED = {
    "a right model": (TOTAL, "tally_right", 0, ""),
    "a wrong total": (WRONG_TOTAL, "tally_right", 1, "@total"),
    "a kernel that stands still": (
        TOTAL,
        "tally_stands_still",
        1,
        "kernel.sequence-gives-what-is-listed@tally",
    ),
    "a kernel that counts what it refuses": (
        TOTAL,
        "tally_counts_refused",
        1,
        "kernel.sequence-gives-what-is-listed@tally",
    ),
}


@pytest.mark.skipif(not TOOL, reason="TVMFFI_CONFORM_TOOL does not name the program")
@pytest.mark.parametrize("case", JUDGED)
def test_the_program_judges_by_objects_of_python(case: str, tmp_path: Path) -> None:
    text, module, status, failing = JUDGED[case]
    exit_code, failed = judged(tmp_path, text, module)
    assert exit_code == status, failed
    assert any(failing in one for one in failed) == bool(status), failed

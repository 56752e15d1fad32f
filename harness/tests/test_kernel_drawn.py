# SPDX-License-Identifier: Apache-2.0
"""Typed Python functions: the calls that are drawn, and what comes of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from kernel_source import AXPY, TOPK, array, signature, source, written
from tvmffi_conform import HarnessError
from tvmffi_conform.answers import CallFiles, LeftOut, formula_of
from tvmffi_conform.drawn import draw_calls
from tvmffi_conform.kernels import write_described

np = pytest.importorskip("numpy")


def test_options_meet_in_calls_of_the_first_sizes(tmp_path: Path) -> None:
    text = (
        '@kernel(sizes={"n": [6, 1, 0]})\n'
        'def f(x: Tensor[np.float32, "n"], a: bool, b: Literal["s", "t"], c: bool) -> int:\n'
        "    return len(x)\n"
    )
    told = written(tmp_path, text)
    met = {
        (call["arguments"]["a"], call["arguments"]["b"], call["arguments"]["c"])
        for call in told["calls"]
        if call["expected"]["result"] == "6"
    }
    assert len(met) == 8


def test_all_sizes_that_may_be_0_are_so_in_one_call(tmp_path: Path) -> None:
    text = (
        '@kernel(sizes={"n": [6, 1, 0], "e": [3, 0], "m": [2, 5]})\n'
        'def f(at: Annotated[Tensor[np.int64, "e"], Range(0, "n - 1")], x: Tensor[T, "n m"]\n'
        ") -> int:\n"
        "    return 100 * len(at) + x.size\n"
    )
    calls = written(tmp_path, text)["calls"]
    shapes = [
        [array(tmp_path, call["arguments"][name]).shape for name in ("at", "x")] for call in calls
    ]
    assert shapes[1] == [(0,), (0, 2)]  # before pairs, of which there may be too many


def test_each_listed_value_stands_in_a_call(tmp_path: Path) -> None:
    calls = written(tmp_path, AXPY)["calls"]
    seen = {
        (
            array(tmp_path, call["arguments"]["x"]).shape,
            array(tmp_path, call["arguments"]["out"]).dtype.name,
        )
        for call in calls
    }
    assert {shape for shape, _ in seen} == {(5,), (1000,)}
    assert {dtype for _, dtype in seen} == {"float32", "float64"}


def test_each_two_choices_stand_in_one_call(tmp_path: Path) -> None:
    text = (
        "@kernel\n"
        'def f(x: Tensor[T, "n"], k: Union[int, Tensor[np.int32, "n"]], mode: Literal["a", "b"],'
        ' i: Optional[Tensor[(np.int32, np.int64), "m"]]) -> int: return 1\n'
    )
    calls = list(draw_calls("f", signature(tmp_path, text)))
    kinds = [
        (
            call["x"].dtype.name,
            "int" if isinstance(call["k"], int) else "tensor",
            call["mode"],
            "none" if call["i"] is None else call["i"].dtype.name,
        )
        for call in calls
    ]
    for one, other in ((1, 3), (0, 3), (0, 1), (2, 3), (1, 2)):
        met = {(kind[one], kind[other]) for kind in kinds}
        assert len(met) == len({kind[one] for kind in kinds}) * len({kind[other] for kind in kinds})
    assert len(calls) <= 24


def test_elements_keep_to_parameters_behind_them(tmp_path: Path) -> None:
    text = (
        "@kernel\n"
        'def f(allowed: List[Annotated[int, Range(0, "vocab - 1")]],'
        " vocab: Annotated[int, Range(1, 9)]) -> int: return 1\n"
    )
    calls = list(draw_calls("f", signature(tmp_path, text)))
    assert {call["vocab"] for call in calls} >= {1, 9}
    assert all(token < call["vocab"] for call in calls for token in call["allowed"])


def test_calls_hold_what_the_function_says(tmp_path: Path) -> None:
    for call in written(tmp_path, AXPY)["calls"]:
        given = call["arguments"]
        x, y = array(tmp_path, given["x"]), array(tmp_path, given["y"])
        out = array(tmp_path, call["expected"]["out"])
        assert out.dtype == x.dtype == y.dtype
        assert np.array_equal(out, (given["alpha"] * x + y).astype(x.dtype))
        assert not np.array_equal(x, y)


def test_limits_are_tried_and_results_named_by_place(tmp_path: Path) -> None:
    calls = written(tmp_path, TOPK)["calls"]
    for call in calls:
        assert set(call["expected"]) == {"result[0]", "result[1]"}
    of_all = {
        (call["arguments"]["k"], len(array(tmp_path, call["arguments"]["x"]))) for call in calls
    }
    assert any(k == 1 for k, _ in of_all)
    assert any(k == n for k, n in of_all)


def test_the_same_file_gives_the_same_calls(tmp_path: Path) -> None:
    assert written(tmp_path, TOPK) == written(tmp_path, TOPK)


def test_an_error_is_a_refusal(tmp_path: Path) -> None:
    text = (
        "@kernel\ndef f(a: Annotated[int, Values(1, 0)]) -> int:\n"
        '    if not a: raise ValueError("a must not be 0")\n    return 8 // a\n'
    )
    calls = written(tmp_path, text)["calls"]
    assert {"arguments": {"a": 0}, "refused": {"kind": "ValueError"}} in calls
    assert {"arguments": {"a": 1}, "expected": {"result": "8"}} in calls


@pytest.mark.parametrize(
    ("value", "formula"),
    [
        (-(1 << 63), "-9223372036854775807 - 1"),
        (np.int32(7), "7"),
        (0.5, "0.5"),
        (True, "True"),
        (None, "None"),
        ("it's", '"it\'s"'),
        ('"', "'\"'"),
    ],
)
def test_a_result_that_is_no_array_is_a_formula(value: object, formula: str) -> None:
    assert formula_of(value) == formula


@pytest.mark.parametrize("value", ["a\\b", "a\nb", "'\"", 1 << 63])
def test_a_result_that_no_formula_can_state_is_left_out(value: object, tmp_path: Path) -> None:
    with pytest.raises(LeftOut, match="no formula can state"):
        formula_of(value)
    kind, good = type(value).__name__, type(value)(1)
    text = f"@kernel\ndef f(a: bool) -> {kind}: return {good!r} if a else {value!r}\n"
    notes: list[str] = []
    path = write_described(source(tmp_path, text), tmp_path / "out", notes.append)
    calls = json.loads(path.read_text())["functions"]["f"]["calls"]
    assert [call["arguments"] for call in calls] == [{"a": True}]
    assert "left out: " in notes[0]
    text = f"@kernel\ndef f(a: bool) -> {kind}: return {value!r}\n"
    with pytest.raises(HarnessError, match=r"each call was left out: .*no formula can state"):
        write_described(source(tmp_path, text), tmp_path / "out")


def test_offsets_that_where_orders_are_drawn_in_order(tmp_path: Path) -> None:
    text = (
        '@kernel(where=["at[0] == 0", "at[-1] == n", "at[1:] >= at[:-1]"], sizes={"n": [6, 0]})\n'
        'def f(x: Tensor[np.float32, "n"], at: Annotated[Tensor[np.int32, "m+1"], Range(0, "n")],\n'
        '      out: Out[Tensor[np.float32, "m"]]) -> None:\n'
        "    out[...] = 0\n"
    )
    drawn = [array(tmp_path, call["arguments"]["at"]) for call in written(tmp_path, text)["calls"]]
    assert all(at[0] == 0 and (np.diff(at) >= 0).all() for at in drawn)
    assert {int(at[-1]) for at in drawn} == {0, 6}


def test_what_is_drawn_meets_conditions_on_elements(tmp_path: Path) -> None:
    text = (
        '@kernel(where=["sum(lengths) == n", "lengths[0] > 0", "b is None or b[0] < n"],'
        ' sizes={"n": [6, 4]})\n'
        'def f(x: Tensor[np.float32, "n"], lengths: Annotated[Tensor[np.int32, "3"], Range(0, 6)],'
        ' b: Optional[Tensor[np.int32, "2"]]) -> int:\n'
        "    return 1\n"
    )
    calls = list(draw_calls("f", signature(tmp_path, text)))
    assert {len(call["x"]) for call in calls} == {4, 6}
    for call in calls:
        assert call["lengths"].sum() == len(call["x"])
        assert call["lengths"][0] > 0
        assert call["b"] is None or call["b"][0] < len(call["x"])


def test_some_inputs_hold_equal_elements(tmp_path: Path) -> None:
    calls = written(tmp_path, AXPY)["calls"]
    drawn = [array(tmp_path, call["arguments"]["x"]) for call in calls]
    assert any(len(set(x)) < len(x) for x in drawn)
    assert any(len(set(x)) == len(x) > 1 for x in drawn)


def test_containers_and_optionals_are_tried_both_ways(tmp_path: Path) -> None:
    text = (
        '@kernel\ndef f(parts: List[Tensor[np.float32, "_ n"]], scale: Optional[float],\n'
        '      mode: Union[int, str], more: Dict[str, int]) -> Tensor[np.float32, "m n"]:\n'
        "    return np.concatenate(parts) * (1 if scale is None else scale)\n"
    )
    calls = [call["arguments"] for call in written(tmp_path, text)["calls"]]
    assert {len(given["parts"]) for given in calls} == {1, 2, 3}
    assert {given["scale"] is None for given in calls} == {True, False}
    assert {type(given["mode"]) for given in calls} == {int, str}
    assert all(isinstance(given["more"], dict) for given in calls)
    assert {array(tmp_path, part).shape[1] for part in calls[0]["parts"]} == {3}


def test_outputs_in_containers_have_places(tmp_path: Path) -> None:
    text = (
        '@kernel\ndef f(params: List[InOut[Tensor[np.float32, "n"]]]) -> None:\n'
        "    for one in params: one -= 1\n"
    )
    for call in written(tmp_path, text)["calls"]:
        for i, before in enumerate(call["arguments"]["params"]):
            after = array(tmp_path, call["expected"][f"params[{i}]"])
            assert np.array_equal(after, array(tmp_path, before) - 1)


RESULTS = {
    "(1, 2, -3)": {"result": "(1, 2, -3,)"},
    "[]": {"result": "()"},
    "[0.5, np.float32(2), True]": {"result": "(0.5, 2.0, True,)"},
    "(1, 'a', None)": {"result[0]": "1", "result[1]": '"a"', "result[2]": "None"},
    "{'a': 1, 'b': (2, 3)}": {"result.a": "1", "result.b": "(2, 3,)"},
    "np.dtype('int8')": None,
    "lambda x: x": None,
}


@pytest.mark.parametrize(("result", "expected"), RESULTS.items(), ids=RESULTS)
def test_results_are_stated(result: str, expected: dict | None, tmp_path: Path) -> None:
    text = f"@kernel\ndef f(a: Dict[int, float]) -> Any: return {result}\n"
    for call in written(tmp_path, text)["calls"]:
        assert call.get("expected") == expected
        assert set(call["arguments"]["a"]) <= {"0", "1", "2"}


def test_callbacks_do_what_the_signature_says(tmp_path: Path) -> None:
    text = (
        '@kernel(parameters={"f": {"does": "2*x + 1"}})\n'
        'def g(f: Callable[[float], float], x: Tensor[np.float64, "n"],'
        ' y: Out[Tensor[np.float64, "n"]]) -> None:\n'
        "    for i in range(len(x)): y[i] = f(x[i])\n"
    )
    told = written(tmp_path, text)
    for call in told["calls"]:
        assert "f" not in call["arguments"]
        x = array(tmp_path, call["arguments"]["x"])
        assert np.allclose(array(tmp_path, call["expected"]["y"]), 2 * x + 1)


def test_no_conditions_are_left_out() -> None:
    told = {
        "parameters": [
            {"name": "k", "kind": "int", "min": -3, "max": 9},
            {
                "name": "x",
                "kind": "tensor",
                "dtype": "int64",
                "shape": "n",
                "max": "n - 1",
                "min": 0,
            },
        ],
        "where": ["1 <= k <= n", "n % 2 == 0"],
        "sizes": {"n": [4, 5, 6]},
    }
    calls = list(draw_calls("f", told))
    assert {len(call["x"]) for call in calls} == {4, 6}
    for call in calls:
        assert 1 <= call["k"] <= len(call["x"])
        assert 0 <= call["x"].min() <= call["x"].max() < len(call["x"])


def test_examples_are_drawn_with_others_between_the_limits(tmp_path: Path) -> None:
    text = (
        '@kernel(where=["(n & (n - 1)) == 0"])\n'
        "def f(n: Annotated[int, Examples(16, 8), Range(2, 4096)], mode: Literal['a', 'b'],\n"
        "      center: bool, hop: Annotated[int, Examples(5), Range(1, 2**20)]) -> int: return 1\n"
    )
    told = signature(tmp_path, text)
    calls = list(draw_calls("f", told))
    seen = {call["n"] for call in calls}
    assert seen >= {16, 8, 2, 4096}
    assert all(n & (n - 1) == 0 for n in seen)
    assert {call["hop"] for call in calls} >= {5, 1, 2**20}
    for n in (16, 8):
        assert {call["mode"] for call in calls if call["n"] == n} == {"a", "b"}
        assert {call["center"] for call in calls if call["n"] == n} == {True, False}


def test_elements_are_brought_within_conditions(tmp_path: Path) -> None:
    text = (
        '@kernel(where=["parents < arange(n)", "u < 1"], sizes={"n": [9]})\n'
        'def f(parents: Tensor[np.int32, "n", {"min": -1}],\n'
        '      u: Tensor[np.float32, "n", {"max": 1}]) -> int: return 1\n'
    )
    for call in draw_calls("f", signature(tmp_path, text)):
        assert (call["parents"] >= -1).all()
        assert (call["parents"] < np.arange(9)).all()
        assert (call["u"] < 1).all()


def test_names_for_parts_of_conditions_are_known(tmp_path: Path) -> None:
    text = (
        '@kernel(let={"half": "n // 2", "axis": "0", "lo": "hi - half"}, sizes={"n": [6, 9]},\n'
        "        where=['lo <= 1', 'half < 4', \"mode != 'half'\", 'x <= half',\n"
        "               'sum(x, axis=axis) <= n * half'])\n"
        "def f(x: Tensor[np.int32, 'n', {'max': 99}], hi: Annotated[int, Range(4, 6)],\n"
        "      mode: Literal['half', 'other']) -> int: return 1\n"
    )
    told = written(tmp_path, text)
    assert told["let"] == {"half": "n // 2", "axis": "0", "lo": "hi - half"}
    assert told["where"][0] == "lo <= 1"
    calls = [call["arguments"] for call in told["calls"]]
    assert {call["mode"] for call in calls} == {"other"}
    assert {call["hi"] for call in calls} == {4}
    for call in calls:
        x = array(tmp_path, call["x"])
        assert x.size == 6
        assert x.max() <= 3


def test_what_is_refused_was_not_tried(tmp_path: Path) -> None:
    text = (
        "@kernel\ndef f(mode: Literal['a', 'b', 'c'], value: Optional[float],\n"
        '      x: Tensor[T, "n"]) -> int:\n'
        "    if value is not None and mode != 'a': raise ValueError('value goes with a')\n"
        "    return 1\n"
    )
    told = written(tmp_path, text)
    assert told["combinations"] == "calls"
    served = [call["arguments"] for call in told["calls"] if "refused" not in call]
    given = {(call["mode"], call["value"] is None) for call in served}
    assert given == {("a", True), ("a", False), ("b", True), ("c", True)}
    types = {(call["mode"], array(tmp_path, call["x"]).dtype.name) for call in served}
    assert len(types) == 6
    refused = [call for call in told["calls"] if "refused" in call]
    assert 1 <= len(refused) <= 3


def test_only_a_raised_error_states_its_kind(tmp_path: Path) -> None:
    text = (
        '@kernel\ndef f(x: Tensor[np.int32, "n"], i: Annotated[int, Values(0, 9)]) -> int:\n'
        "    return x[i]\n"
    )
    refused = [call["refused"] for call in written(tmp_path, text)["calls"] if "refused" in call]
    assert set(map(str, refused)) == {"True"}


def test_what_takes_too_much_is_left_out(tmp_path: Path) -> None:
    text = (
        "@kernel\ndef f(n: Annotated[int, Examples(3), Range(0, 2**40)])"
        ' -> Tensor[np.int8, "n"]:\n    return np.zeros(n, np.int8) + np.int8(1)\n'
    )
    notes: list[str] = []
    path = write_described(source(tmp_path, text), tmp_path / "out", notes.append)
    calls = json.loads(path.read_text())["functions"]["f"]["calls"]
    assert {call["arguments"]["n"] for call in calls} >= {0, 3}
    assert all(call["arguments"]["n"] < 1 << 23 for call in calls)
    assert any("left out: the Python function took more than 3 GiB" in note for note in notes)


def test_numbers_that_json_lacks_are_strings(tmp_path: Path) -> None:
    text = (
        "@kernel(parameters={'s': {'value': 1.5}})\n"
        "def f(s: float, xs: List[float]) -> float: return s / 0 if s == 7 else np.inf\n"
    )
    calls = written(tmp_path, text)["calls"]
    assert {call["expected"]["result"] for call in calls} == {"inf"}
    values = [float("nan"), -np.inf, np.float32(2)]
    assert [CallFiles(tmp_path, "f").value(one) for one in values] == ["nan", "-inf", 2.0]
    with pytest.raises(LeftOut):
        CallFiles(tmp_path, "f").value(values)

# SPDX-License-Identifier: Apache-2.0
"""Typed Python functions: the signatures that they state, and the calls that are made of them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import typing
from pathlib import Path

import pytest
from fake_tool import install
from report_sample import case, clause, report
from tvmffi_conform import HarnessError
from tvmffi_conform.answers import CallFiles, LeftOut, formula_of
from tvmffi_conform.cli import app
from tvmffi_conform.examples import draw_calls
from tvmffi_conform.kernels import described_in, write_described, write_judged_by
from typer.testing import CliRunner

np = pytest.importorskip("numpy")
pytest_plugins = ("pytester",)
TOOL = os.environ.get("TVMFFI_CONFORM_TOOL", "")
MODULES = Path(TOOL).resolve().parents[1] / "conformance" / "tests" / "kernels" if TOOL else None

HEAD = """
from typing import Annotated, Any, Callable, Dict, List, Literal, Optional, Tuple, TypeVar, Union
import numpy as np
from tvmffi_conform.kernels import (
    Device, DType, Examples, InOut, Out, Range, Retained, Shape, Tensor, Values, kernel
)
T = TypeVar("T", np.float32, np.float64)
"""
AXPY = """
@kernel(sizes={"n": [5, 1000]})
def axpy(alpha: float, x: Tensor[T, "n"], y: Tensor[T, "n"], out: Out[Tensor[T, "n"]]) -> None:
    out[...] = alpha * x + y
"""
TOPK = """
@kernel
def topk(
    x: Tensor[np.float32, "n"], k: Annotated[int, Range(1, "n")]
) -> Tuple[Tensor[np.float32, "k"], Tensor[np.int64, "k"]]:
    order = np.argsort(-x, kind="stable")[:k]
    return x[order], order
"""


def source(folder: Path, text: str) -> Path:
    path = folder / "kernels.py"
    path.write_text(HEAD + text)
    return path


def signature(folder: Path, text: str) -> dict:
    """The signature of the last kernel of a text."""
    return described_in(source(folder, text))[-1].signature()


def written(folder: Path, text: str) -> dict:
    """What the signature file for a text holds of its last kernel."""
    path = write_described(source(folder, text), folder / "out")
    return list(json.loads(path.read_text())["functions"].values())[-1]


def array(folder: Path, told: dict) -> object:
    return np.load(folder / "out" / told["npy"], allow_pickle=False)


TYPES = {
    "int": {"kind": "int"},
    "bool": {"kind": "bool"},
    "float": {"kind": "float"},
    "str": {"kind": "string"},
    "bytes": {"kind": "bytes"},
    "Any": {"kind": "any"},
    "None": {"kind": "none"},
    'Literal["relu", "none"]': {"kind": "string", "values": ["relu", "none"]},
    "Annotated[int, Values(1, 2, 4)]": {"kind": "int", "values": [1, 2, 4]},
    "Annotated[float, Examples(0.5, 2.0)]": {"kind": "float", "examples": [0.5, 2.0]},
    'Annotated[int, Range(1, "n")]': {"kind": "int", "min": 1, "max": "n"},
    "Annotated[int, Examples(16, 8), Range(2, None)]": {
        "kind": "int",
        "examples": [16, 8],
        "min": 2,
    },
    'Annotated[float, Range(0, float("inf"))]': {"kind": "float", "min": 0, "max": "inf"},
    "Annotated[int, Range(most=9)]": {"kind": "int", "max": 9},
    "Annotated[np.float32 and float, Values(np.float64(2))]": {"kind": "float", "values": [2.0]},
    'Annotated[bytes, Values(b"ab")]': {"kind": "bytes", "values": ["ab"]},
    'Literal["a", None]': {"kind": "string", "values": ["a"], "optional": True},
    "Shape": {"kind": "shape"},
    'Shape["n 2"]': {"kind": "shape", "extents": "n 2"},
    "Annotated[Shape, Range(0, 8)]": {"kind": "shape", "min": 0, "max": 8},
    "DType": {"kind": "dtype"},
    'DType[np.float32, "bfloat16"]': {"kind": "dtype", "values": ["float32", "bfloat16"]},
    "Optional[Device]": {"kind": "device", "optional": True},
    'Device["cpu", "cuda"]': {"kind": "device", "values": ["cpu", "cuda"]},
    "Retained[List[int]]": {"kind": "array", "element": {"kind": "int"}, "retained": True},
    'Optional[Out[Tensor[np.int8, "n"]]]': {
        "kind": "tensor",
        "dtype": "int8",
        "shape": "n",
        "role": "out",
        "optional": True,
    },
    "Optional[float]": {"kind": "float", "optional": True},
    "List[int]": {"kind": "array", "element": {"kind": "int"}},
    "Tuple[int, float]": {"kind": "tuple", "elements": [{"kind": "int"}, {"kind": "float"}]},
    "Tuple[int, ...]": {"kind": "array", "element": {"kind": "int"}},
    "Dict[str, float]": {"kind": "map", "key": {"kind": "string"}, "element": {"kind": "float"}},
    "Union[int, str]": {"kind": "variant", "any_of": [{"kind": "int"}, {"kind": "string"}]},
    "Callable[[float], int]": {
        "kind": "function",
        "parameters": [{"name": "x", "kind": "float"}],
        "result": {"kind": "int"},
    },
    'Tensor[np.int8, "n 2*d"]': {
        "kind": "tensor",
        "dtype": "int8",
        "shape": "n 2*d",
        "role": "in",
    },
    'InOut[Tensor[("float32", "bfloat16"), "..."]]': {
        "kind": "tensor",
        "dtype": ["float32", "bfloat16"],
        "shape": "...",
        "role": "inout",
    },
    'Tensor[np.int8, "n", {"layout": "strided", "device": "cpu"}]': {
        "kind": "tensor",
        "dtype": "int8",
        "shape": "n",
        "role": "in",
        "layout": "strided",
        "device": "cpu",
    },
    'Annotated[np.ndarray[Any, np.dtype[np.float32]], "m n"]': {
        "kind": "tensor",
        "dtype": "float32",
        "shape": "m n",
        "role": "in",
    },
}


@pytest.mark.parametrize(("annotation", "told"), TYPES.items(), ids=TYPES)
def test_an_annotation_is_a_type(annotation: str, told: dict, tmp_path: Path) -> None:
    text = f"@kernel\ndef f(a: {annotation}): ...\n"
    assert signature(tmp_path, text)["parameters"] == [{"name": "a", **told}]


def test_a_type_variable_is_one_of_the_signature(tmp_path: Path) -> None:
    told = signature(tmp_path, AXPY)
    assert told["dtypes"] == {"T": ["float32", "float64"]}
    assert [one.get("dtype") for one in told["parameters"]] == [None, "T", "T", "T"]
    assert told["sizes"] == {"n": [5, 1000]}
    assert told["result"] == {"kind": "none"}


def test_a_typed_dict_has_entries(tmp_path: Path) -> None:
    text = (
        "from typing import TypedDict\n"
        "class Options(TypedDict, total=False):\n    alpha: float\n"
        "@kernel\ndef f(options: Options) -> float: return options.get('alpha', 1.0)\n"
    )
    entries = {"alpha": {"kind": "float", "optional": True}}
    parameters = signature(tmp_path, text)["parameters"]
    assert parameters == [{"name": "options", "kind": "map", "entries": entries}]
    given = [call["arguments"]["options"] for call in written(tmp_path, text)["calls"]]
    assert {"alpha" in some for some in given} == {True, False}


@pytest.mark.parametrize("module", ["typing", "typing_extensions"])
@pytest.mark.parametrize("late", ["", "from __future__ import annotations\n"])
def test_entries_may_be_required_or_not(module: str, late: str, tmp_path: Path) -> None:
    if not hasattr(pytest.importorskip(module), "NotRequired"):
        pytest.skip(f"{module} has no NotRequired")
    text = (
        f"{late}{HEAD}from {module} import NotRequired, Required, TypedDict\n"
        "class Options(TypedDict):\n"
        "    page: Annotated[int, Range(1, 8)]\n"
        "    tile: NotRequired[Annotated[int, Range(1, 4)]]\n"
        "class Loose(TypedDict, total=False):\n    a: Required[int]\n    b: int\n"
        "@kernel\ndef f(options: Options, loose: Loose) -> int: return options['page']\n"
    )
    path = tmp_path / "late.py"
    path.write_text(text)
    options, loose = described_in(path)[-1].signature()["parameters"]
    assert options["entries"] == {
        "page": {"kind": "int", "min": 1, "max": 8},
        "tile": {"kind": "int", "min": 1, "max": 4, "optional": True},
    }
    assert [one.get("optional", False) for one in loose["entries"].values()] == [False, True]


def test_types_may_be_named_in_a_variable(tmp_path: Path) -> None:
    text = (
        'V = TypeVar("V", "float32", "bfloat16")\n@kernel\n'
        'def f(x: Tensor[V, "n"], y: Out[Tensor[V, "n"]]) -> None: y[...] = x * 2\n'
    )
    assert signature(tmp_path, text)["dtypes"] == {"V": ["float32", "bfloat16"]}
    pytest.importorskip("ml_dtypes")
    calls = written(tmp_path, text)["calls"]
    sizes = {array(tmp_path, call["arguments"]["x"]).dtype.itemsize for call in calls}
    assert sizes == {4, 2}


def test_types_of_one_size_that_numpy_lacks_are_named(tmp_path: Path) -> None:
    pytest.importorskip("ml_dtypes")
    text = (
        '@kernel\ndef f(x: Tensor[("float8_e4m3fn", "float8_e5m2"), "n"]) -> '
        'Tensor[np.float32, "n"]:\n    return x.astype(np.float32)\n'
    )
    calls = written(tmp_path, text)["calls"]
    named = {call["arguments"]["x"].get("dtype") for call in calls}
    assert {"float8_e4m3fn", "float8_e5m2"} <= named
    for call in calls:
        if told := call["arguments"]["x"].get("elements"):
            assert len(told) == array(tmp_path, call["expected"]["result"]).size


def test_a_number_of_a_type_that_numpy_lacks_has_no_dimension(tmp_path: Path) -> None:
    pytest.importorskip("ml_dtypes")
    text = '@kernel\ndef f(x: Tensor["bfloat16", ""]) -> float: return float(x)\n'
    calls = written(tmp_path, text)["calls"]
    assert {array(tmp_path, call["arguments"]["x"]).shape for call in calls} == {()}


def test_what_no_file_can_state_of_a_listed_call_is_an_error(tmp_path: Path) -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    assert ml_dtypes
    text = (
        "import ml_dtypes\n"
        '@kernel(calls=[{"arguments": {"x": np.ones(601, ml_dtypes.float8_e5m2)}}])\n'
        'def f(x: Tensor[("float8_e4m3fn", "float8_e5m2"), "n"]) -> int: return x.size\n'
    )
    with pytest.raises(HarnessError, match=r"f: calls\[0\]: more than 600 elements of float8_e5m2"):
        written(tmp_path, text)


def test_listed_bytes_are_bytes(tmp_path: Path) -> None:
    text = (
        '@kernel(calls=[{"arguments": {"text": "h\u00e9"}}, {"arguments": {"text": b"ab"}}])\n'
        'def f(text: bytes | None) -> int: return sum(text or b"")\n'
    )
    calls = written(tmp_path, text)["calls"]
    assert [call.get("expected") for call in calls[:2]] == [{"result": "468"}, {"result": "195"}]


def test_a_listed_text_is_a_text_rather_than_bytes(tmp_path: Path) -> None:
    text = (
        '@kernel(calls=[{"arguments": {"x": "ab"}}, {"arguments": {"x": "nan"}}])\n'
        "def f(x: str | bytes) -> bool: return isinstance(x, str)\n"
    )
    calls = written(tmp_path, text)["calls"]
    assert [call.get("expected") for call in calls[:2]] == [{"result": "True"}] * 2


def test_keys_that_are_integers_stay_so(tmp_path: Path) -> None:
    text = (
        '@kernel(calls=[{"arguments": {"keys": [3, 5], "before": {"5": 10, "-1": 0}}}])\n'
        "def f(keys: list[int], before: dict[int, int]) -> dict[int, int]:\n"
        "    return {**before, **{k: before.get(k, 0) + 1 for k in keys}}\n"
    )
    expected = written(tmp_path, text)["calls"][0]["expected"]
    assert expected == {"result.5": "11", "result.-1": "0", "result.3": "1"}


def test_a_key_that_is_no_name_is_left_out(tmp_path: Path) -> None:
    text = (
        '@kernel(calls=[{"arguments": {"sums": {"a": [1, 2], "": [], "b.c": [1]}}}])\n'
        "def f(sums: dict[str, list[int]]) -> dict[str, int]:\n"
        "    return {key: sum(of) for key, of in sums.items()}\n"
    )
    assert written(tmp_path, text)["calls"][0]["expected"] == {"result.a": "3"}


def test_a_parameter_of_any_kind_is_called(tmp_path: Path) -> None:
    text = "@kernel\ndef f(x: Any) -> bool: return x is None\n"
    calls = written(tmp_path, "from typing import Any\n" + text)["calls"]
    assert calls[0]["expected"] == {"result": "False"}


def test_what_is_drawn_for_a_listed_call_has_the_type_of_its_containers(tmp_path: Path) -> None:
    text = (
        'T = TypeVar("T", np.float32, np.float64)\n'
        '@kernel(calls=[{"arguments": {"parts": [{"elements": [1, 2], "dtype": "float64"}], '
        '"x": {"elements": [1], "dtype": "float64"}, "n": 7}}])\n'
        'def f(parts: list[Tensor[T, "_"]], x: Tensor[T, "_"], n: int) -> int:\n'
        "    if n != 7: raise ValueError('n')\n"
        "    assert all(part.dtype == x.dtype for part in parts)\n"
        "    return n\n"
    )
    assert len(written(tmp_path, text)["calls"]) > 2


def test_shapes_types_and_devices_reach_the_function(tmp_path: Path) -> None:
    text = (
        '@kernel\ndef f(shape: Shape["n 2"], dtype: DType[np.float32, np.int8], device: Device,\n'
        '      tag: bytes) -> Tensor["dtype", "_ _"]:\n'
        '    assert device == "cpu" and isinstance(tag, bytes)\n'
        "    return np.ones(shape, dtype)\n"
    )
    for call in written(tmp_path, text)["calls"]:
        given = call["arguments"]
        result = array(tmp_path, call["expected"]["result"])
        assert list(result.shape) == given["shape"] == [given["shape"][0], 2]
        assert result.dtype.name == given["dtype"]
        assert isinstance(given["tag"], str)


def test_entries_of_a_map_get_more_members_one_by_one(tmp_path: Path) -> None:
    text = (
        "from typing import TypedDict\n"
        "class Options(TypedDict):\n    sizes: List[float]\n    most: int\n    mode: int\n"
        "@kernel(parameters={'options': {'other_keys': 'refused', 'entries': {\n"
        "    'sizes': {'value': [1, 2]}, 'mode': {'kind': 'string', 'values': ['a']}}}})\n"
        "def f(options: Options) -> int: return options['most']\n"
    )
    assert signature(tmp_path, text)["parameters"][0] == {
        "name": "options",
        "kind": "map",
        "entries": {
            "sizes": {"kind": "array", "element": {"kind": "float"}, "value": [1, 2]},
            "most": {"kind": "int"},
            "mode": {"kind": "string", "values": ["a"]},
        },
        "other_keys": "refused",
    }


@pytest.mark.parametrize(
    ("body", "dtype"),
    [
        ("np.ones(n, dtype)", "dtype"),
        ("np.ones(n, np.int8)", ["int8", "float32"]),
        ("np.ones(n, np.float32 if n > 4 else dtype)", ["int8", "float32"]),
    ],
)
def test_a_result_is_of_the_type_that_a_parameter_says(
    body: str, dtype: object, tmp_path: Path
) -> None:
    text = (
        "@kernel\ndef f(n: Annotated[int, Examples(3, 5)], dtype: DType[np.int8, np.float32]\n"
        f') -> Tensor[(np.int8, np.float32), "n"]: return {body}\n'
    )
    assert written(tmp_path, text)["result"]["dtype"] == dtype


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


def test_a_type_may_be_named_by_a_parameter_or_a_variable(tmp_path: Path) -> None:
    text = (
        '@kernel(parameters={"dtype": {"kind": "dtype", "values": ["int8", "float32"]}})\n'
        'def f(x: Tensor[T, "n"], dtype: str, y: Out[Tensor["T", "n"]]) -> Tensor["dtype", "n"]:\n'
        "    y[...] = x\n    return x.astype(dtype)\n"
    )
    told = signature(tmp_path, text)
    assert [one.get("dtype") for one in told["parameters"]] == ["T", None, "T"]
    assert told["result"]["dtype"] == "dtype"


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


def test_arguments_behind_the_last_are_the_rest(tmp_path: Path) -> None:
    told = signature(tmp_path, "@kernel\ndef f(a: int, *more: float) -> float: return a\n")
    assert told["rest"] == {"name": "more", "kind": "float"}
    calls = written(
        tmp_path, "@kernel\ndef f(a: int, *more: float) -> float: return a + sum(more)\n"
    )
    assert {len(call["arguments"]["more"]) for call in calls["calls"]} == {0, 1, 3}


REFUSED = {
    "def f(a: int): ...\n": "no function is marked",
    "@kernel\ndef f(a): ...\n": "f: a: the parameter has no annotation",
    "@kernel\ndef f(a: complex): ...\n": "f: a: what is <class 'complex'>",
    "@kernel\ndef f(a: Tensor[np.float32]): ...\n": "is written as Tensor",
    "@kernel\ndef f(a: Out[int]): ...\n": "only tensors are outputs",
    "@kernel(size={})\ndef f(a: int): ...\n": "unknown argument 'size'",
    '@kernel(parameters={"b": {}})\ndef f(a: int): ...\n': "no parameter 'b'",
    "1 / 0\n": "ZeroDivisionError",
    "@kernel\ndef f(a: Callable[[int], int]): ...\n": "say what the function does",
    '@kernel(where=["n > 99"])\ndef f(x: Tensor[T, "n"]): ...\n': "no call that was drawn meets",
    '@kernel\ndef f(y: Out[Tensor[np.float32, "n"]]): ...\n': "y is all NaN",
    "@kernel\ndef f(a: int): raise ValueError('no')\n": "of its calls, such as ValueError: no",
    "@kernel\ndef f(a: int): return a.size\n": "(kernels.py:9: def f(a: int): return a.size)",
    "@kernel\ndef f(a: int): return a + None\n": "ended with TypeError",
    "@kernel\ndef f(a: int): assert a > 99\n": "ended with AssertionError",
    "@kernel\ndef f(a: int) -> int: return 1j\n": "no signature file can state this result",
    "@kernel\ndef f(a: int, *, b: int): ...\n": "b: a kernel takes no arguments by name",
    "@kernel\ndef f(a: 'nothing'): ...\n": "its annotations: name 'nothing' is not defined",
    "@kernel\nclass f: ...\n": "@kernel marks functions",
    "@kernel\ndef f(a: Annotated[Union[int, str], Range(1, 2)]): ...\n": "into each type",
    "@kernel\ndef f(a: Callable[..., int]): ...\n": "say what the callback is called with",
    '@kernel(where=["relu(n) > 1"])\ndef f(x: Tensor[T, "n"]): ...\n': '"relu(n) > 1": what is',
    '@kernel(where=["m > 1"])\ndef f(x: Tensor[T, "n"]): ...\n': 'where "m > 1": what is m',
    '@kernel(let={"p": "n +"}, where=["p > 1"])\ndef f(x: Tensor[T, "n"]): ...\n': (
        'let: "n +" is not an expression'
    ),
    '@kernel(let={"p": "max(" + "n, " * 999 + "n)", "q": "p * p"})\ndef f(a: int): ...\n': (
        '"p * p": longer than 4096 characters with "let"'
    ),
    '@kernel\ndef f(x: Annotated[int, Range(0, "(1, 2)")]): ...\n': "which is not a number",
    '@kernel(tolerance=float("nan"))\ndef f(a: int): ...\n': "a value that JSON lacks",
    '@kernel\ndef f(x: Tensor["float7", "n"]): ...\n': "float7",
    '@kernel(let={"a": 5})\ndef f(a: int): ...\n': "let: expected formulas by name",
    '@kernel\ndef f(x: Tensor[T, "n"]) -> Tensor["x", "n"]: return x\n': (
        'f: result: "x" is neither a data type nor a parameter of kind dtype'
    ),
}


@pytest.mark.parametrize(("text", "told"), REFUSED.items(), ids=REFUSED.values())
def test_what_says_nothing_is_refused(text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(HarnessError) as error:
        write_described(source(tmp_path, text), tmp_path / "out")
    assert told in str(error.value)


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


def test_members_of_a_tensor_in_a_union_are_kept(tmp_path: Path) -> None:
    text = (
        "@kernel\ndef f(\n"
        '    a: Union[int, Tensor[np.int64, "n", {"spellings": ["object"]}]]\n) -> None: ...\n'
    )
    (parameter,) = signature(tmp_path, text)["parameters"]
    assert parameter["any_of"][1]["spellings"] == ["object"]


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


def test_a_signature_file_has_its_results_from_an_oracle(tmp_path: Path) -> None:
    told = {
        "functions": {
            "twice": {
                "parameters": [
                    {"name": "x", "kind": "tensor", "dtype": "int32", "shape": ["n"], "role": "in"},
                    {
                        "name": "y",
                        "kind": "tensor",
                        "dtype": "int32",
                        "shape": ["n"],
                        "role": "out",
                    },
                ]
            }
        }
    }
    (tmp_path / "k.json").write_text(json.dumps(told))
    (tmp_path / "oracle.py").write_text("def double(x, y):\n    return {'y': 2 * x}\n")
    path = write_judged_by(
        tmp_path / "k.json", f"{tmp_path / 'oracle.py'}:double", tmp_path / "out"
    )
    calls = json.loads(path.read_text())["functions"]["twice"]["calls"]
    assert calls
    for call in calls:
        x = array(tmp_path, call["arguments"]["x"])
        assert np.array_equal(array(tmp_path, call["expected"]["y"]), 2 * x)
    with pytest.raises(HarnessError, match="has no function triple"):
        write_judged_by(tmp_path / "k.json", f"{tmp_path / 'oracle.py'}:triple", tmp_path / "out")


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


def test_listed_calls_lead_to_others(tmp_path: Path) -> None:
    text = (
        '@kernel(calls=[{"arguments": {"parents": {"elements": [-1, 0, 0, 1]}, "k": 2}},\n'
        '               {"arguments": {"parents": np.array([-1, 0, 1], np.int32), "k": 1}}])\n'
        'def f(parents: Tensor[np.int32, "n"], k: Annotated[int, Range(1, 99)]) -> int:\n'
        "    if (parents >= np.arange(len(parents))).any() or k > len(parents): raise ValueError\n"
        "    return k\n"
    )
    calls = written(tmp_path, text)["calls"]
    assert "npy" in calls[1]["arguments"]["parents"]
    made = [call for call in calls[2:] if "refused" not in call]
    results = {(call["arguments"]["parents"]["npy"], call["expected"]["result"]) for call in made}
    assert {k for _, k in results} >= {"1", "2"}
    assert len({parents for parents, _ in results}) >= 2
    text = text.replace("raise ValueError\n    return k", "pass\n    raise ValueError")
    text = text.replace('"k": 2}}', '"k": 2}, "expected": {"result": "2"}}')
    text = text.replace('"k": 1}}', '"k": 1}, "expected": {"result": "1"}}')
    assert all("refused" in call for call in written(tmp_path, text)["calls"][2:])


def test_listed_calls_are_worked_out(tmp_path: Path) -> None:
    """What their author does not state the body says; what can't be worked out is told of."""
    text = (
        '@kernel(calls=[{"arguments": {"x": {"elements": [4, 5]}, "d": [1.0, 2.0],\n'
        '                              "o": {"s": "nan"}, "y": {"shape": [2]}}},\n'
        '               {"arguments": {"x": np.arange(3, dtype=np.int64), "d": [0.0, 3.0],\n'
        '                              "o": {}, "y": {"shape": [3]}}},\n'
        '               {"arguments": {"x": {"elements": [1]}, "d": [1.0, 2.0], "o": {},\n'
        '                              "y": {"shape": [1]}}, "expected": {"result": "7"}},\n'
        '               {"arguments": {"d": [1.0, 2.0], "o": {}}}])\n'
        'def f(x: Tensor[I, "n"], d: Tuple[float, float], o: Options, y: Out[Tensor[I, "n"]])'
        " -> float:\n"
        "    if d[0] > d[1]: raise ValueError('d falls')\n"
        "    y[...] = x * int(d[1])\n"
        "    return d[0] + (1 if 's' in o and o['s'] != o['s'] else 0)\n"
    )
    head = (
        'I = TypeVar("I", np.int32, np.int64)\n'
        "from typing import TypedDict\n"
        'Options = TypedDict("Options", {"s": float}, total=False)\n'
    )
    notes: list[str] = []
    path = write_described(source(tmp_path, head + text), tmp_path / "out", notes.append)
    calls = json.loads(path.read_text())["functions"]["f"]["calls"][:4]
    results = [call.get("expected", {}).get("result") for call in calls]
    assert results == ["2.0", "0.0", "7", None]
    outputs = [np.load(path.parent / call["expected"]["y"]["npy"]) for call in calls[:2]]
    assert [one.tolist() for one in outputs] == [[8, 10], [0, 3, 6]]
    assert [one.dtype.name for one in outputs] == ["int32", "int64"]
    assert any("calls[3] is not worked out (x is not stated)" in note for note in notes)


def test_a_listed_call_that_the_body_refuses_is_an_error(tmp_path: Path) -> None:
    call = '{"arguments": {"x": {"elements": [1]}}%s}'
    text = (
        "@kernel(calls=[%s])\n"
        'def f(x: Tensor[np.int64, "n"]) -> int:\n'
        "    if x.size < 2: raise ValueError('x is short')\n"
        "    return int(x[1])\n"
    )
    with pytest.raises(
        HarnessError, match=r"calls\[0\] is listed as served.*raises ValueError: x is"
    ):
        written(tmp_path, text % (call % ""))
    calls = written(tmp_path, text % (call % ', "refused": True'))["calls"]
    assert calls[0]["refused"] is True


def test_listed_arrays_may_be_of_a_type_that_numpy_lacks(tmp_path: Path) -> None:
    pytest.importorskip("ml_dtypes")
    text = (
        "import ml_dtypes\n"
        'B = TypeVar("B", np.float32, "bfloat16")\n'
        '@kernel(calls=[{"arguments": {"x": np.array([1.5, 2], ml_dtypes.bfloat16)}}])\n'
        'def f(x: Tensor[B, "n"]) -> float:\n    return float(x[0])\n'
    )
    assert written(tmp_path, text)["calls"][0]["expected"]["result"] == "1.5"
    text = text.replace('"bfloat16")', '"bfloat16", "float8_e5m2", "float8_e4m3fn")')
    text = text.replace("ml_dtypes.bfloat16)", "ml_dtypes.float8_e5m2)")
    assert written(tmp_path, text)["calls"][0]["expected"]["result"] == "1.5"


def test_listed_integers_are_exact(tmp_path: Path) -> None:
    text = (
        '@kernel(calls=[{"arguments": {"x": {"elements": [9007199254740993]}}},\n'
        '               {"arguments": {"x": {"elements": [1, [2]]}}}])\n'
        'def f(x: Tensor[np.int64, "n"]) -> int:\n    return int(x[0]) & 0xff\n'
    )
    notes: list[str] = []
    path = write_described(source(tmp_path, text), tmp_path / "out", notes.append)
    calls = json.loads(path.read_text())["functions"]["f"]["calls"]
    assert calls[0]["expected"]["result"] == "1"
    assert "expected" not in calls[1]
    assert any("calls[1] is not worked out (its arguments cannot be read" in note for note in notes)


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


README = Path(__file__).resolve().parents[1] / "README.md"
BLOCKS = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("text", BLOCKS)
def test_what_the_page_shows_is_written(text: str, tmp_path: Path) -> None:
    if "NotRequired" in text and not hasattr(typing, "NotRequired"):
        pytest.skip("typing.NotRequired is of Python 3.11")
    (tmp_path / "page.py").write_text(text)
    path = write_described(tmp_path / "page.py", tmp_path / "out")
    functions = json.loads(path.read_text())["functions"]
    for function in functions.values():
        served = [call for call in function["calls"] if "expected" in call]
        states = function["result"]["kind"] != "object"
        assert len(served) >= states * (len(function["calls"]) // 2)
    if "segments" in text:
        blocks = {call["arguments"]["block"] for call in served}
        assert blocks >= {16, 8, 1, 4096}
        assert {call["arguments"]["counts"] is None for call in served} == {True, False}
        modes = {call["arguments"]["options"]["mode"] for call in served}
        assert modes == {"sum", "mean"}
    if "Tally" in text:
        steps = functions["tally"]["sequences"][0]["steps"]
        assert [step["expected"]["result"] for step in (steps[1], steps[3])] == ["7", "7"]


# --- The command and the plugin ----------------------------------------------------------------


def test_the_command_judges_with_what_it_wrote(tmp_path: Path) -> None:
    program = install(tmp_path / "bin")
    library = tmp_path / "k.so"
    library.write_text("bad 1")
    words = ["kernels", str(source(tmp_path, AXPY)), str(library), "--tool", str(program)]
    done = CliRunner().invoke(app, [*words, "-o", str(tmp_path / "out")])
    assert done.exit_code == 1
    assert json.loads((tmp_path / "out" / "signatures.json").read_text())["functions"]["axpy"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["k.json"], "needs --oracle"),
        (["k.py", "--oracle", "m"], "takes no --oracle"),
        (["k.py"], "nothing to do"),
    ],
)
def test_the_command_refuses_half_of_what_it_needs(words: list[str], told: str) -> None:
    done = CliRunner().invoke(app, ["kernels", *words])
    assert isinstance(done.exception, HarnessError)
    assert told in str(done.exception)


def test_pytest_judges_by_typed_functions(pytester: pytest.Pytester) -> None:
    root = pytester.path
    program = install(root / "bin")
    source(root, AXPY)
    document = report([case("any.passes")], clauses=[clause("ANY-1")])
    (root / "k.so").write_text(f"told {json.dumps(document)}")
    options = ["-p", "tvmffi_conform.pytest_plugin", "-p", "no:cacheprovider"]
    options += ["--tvmffi-conform", "k.so", "--tvmffi-conform-tool", str(program)]
    done = pytester.runpytest(*options, "--tvmffi-conform-kernels", "kernels.py")
    done.assert_outcomes(passed=1)
    done = pytester.runpytest(*options, "--tvmffi-conform-kernels", "missing.py")
    assert done.ret != 0
    done.stdout.fnmatch_lines(["*missing.py: no such Python file*"])


ADD_ONE = """
@kernel
def add_one(x: Tensor[np.float32, "n"], y: Out[Tensor[np.float32, "n"]]) -> None:
    y[...] = x + 1
"""


@pytest.mark.skipif(not TOOL, reason="TVMFFI_CONFORM_TOOL does not name the program")
@pytest.mark.parametrize(("name", "status"), [("add_one_right", 0), ("add_one_adds_two", 1)])
def test_the_program_judges_by_what_a_function_returns(
    name: str, status: int, tmp_path: Path
) -> None:
    assert MODULES is not None
    report_file = tmp_path / "report.json"
    words = ["kernels", str(source(tmp_path, ADD_ONE)), str(MODULES / f"{name}.so")]
    words += ["--tool", TOOL, "--report", f"json:{report_file}"]
    assert CliRunner().invoke(app, words).exit_code == status
    failed = [
        one for one in json.loads(report_file.read_text())["cases"] if one["verdict"] == "fail"
    ]
    assert any(one["id"].startswith("kernel.choice-is-served") for one in failed) == bool(status)


@pytest.mark.skipif(not TOOL, reason="TVMFFI_CONFORM_TOOL does not name the program")
@pytest.mark.parametrize(("first", "status"), [(41, 0), (40, 2)])
def test_a_call_with_files_is_the_example(first: int, status: int, tmp_path: Path) -> None:
    """In the sandbox, too, where what reads signature files can't open others."""
    assert MODULES is not None
    assert TOOL is not None
    np.save(tmp_path / "x.npy", np.arange(first, first + 5, dtype=np.float32))
    x = {"name": "x", "kind": "tensor", "dtype": "float32", "shape": "n"}
    function = {
        "parameters": [x, {**x, "name": "y", "role": "out"}],
        "where": ["x[0] == 41"],
        "checks": False,
        "combinations": "calls",
        "calls": [{"arguments": {"x": {"npy": "x.npy"}}, "expected": {"y": "x + 1"}}],
    }
    signatures = tmp_path / "signatures.json"
    signatures.write_text(json.dumps({"functions": {"add_one": function}}))
    command = [TOOL, str(MODULES / "add_one_right.so"), "--signatures", str(signatures)]
    done = subprocess.run([*command, "-v"], capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    if status:
        assert "functions.add_one: no example call could be made: where" in done.stderr
    else:
        assert re.search(r"promised right +calls\[0\]", done.stdout)


@pytest.mark.skipif(not TOOL, reason="TVMFFI_CONFORM_TOOL does not name the program")
@pytest.mark.parametrize(("name", "status"), [("found_two_widths", 0), ("found_one_width", 1)])
def test_integers_of_files_are_tried_in_another_width(
    name: str, status: int, tmp_path: Path
) -> None:
    """What a file holds is read as numbers where the tensor is of another type."""
    assert MODULES is not None
    assert TOOL is not None
    at = np.array([2, 0, 3, 3, 1, 2], np.int64 if status == 0 else np.int32)
    np.save(tmp_path / "at.npy", at)
    np.save(tmp_path / "x.npy", np.array([5, 7, 1, 9], np.float32))
    tensor = {"kind": "tensor", "dtype": "float32"}
    x = {**tensor, "name": "x", "shape": "n"}
    where = {**tensor, "name": "where", "dtype": ["int32", "int64"], "shape": "m"}
    y = {**tensor, "name": "y", "shape": "m", "role": "out"}
    call = {"arguments": {"x": {"npy": "x.npy"}, "where": {"npy": "at.npy"}}}
    function = {
        "parameters": [x, {**where, "min": 0, "max": "n - 1"}, y],
        "combinations": "calls",
        "example": "calls",
        "calls": [call],
    }
    signatures = tmp_path / "signatures.json"
    signatures.write_text(json.dumps({"functions": {"found": function}}))
    case = "buffer.indices-of-either-width@found"
    command = [TOOL, str(MODULES / f"{name}.so"), "--signatures", str(signatures)]
    command += ["--filter", case, "-v"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    assert f"{'FAIL' if status else 'pass'}  {case}" in done.stdout

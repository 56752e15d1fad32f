# SPDX-License-Identifier: Apache-2.0
"""Typed Python functions: the signatures that they state."""

from __future__ import annotations

from pathlib import Path

import pytest
from kernel_source import AXPY, HEAD, array, signature, source, written
from tvmffi_conform import HarnessError
from tvmffi_conform.kernels import described_in, write_described

pytest.importorskip("numpy")

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


def test_a_parameter_of_any_kind_is_called(tmp_path: Path) -> None:
    text = "@kernel\ndef f(x: Any) -> bool: return x is None\n"
    calls = written(tmp_path, "from typing import Any\n" + text)["calls"]
    assert calls[0]["expected"] == {"result": "False"}


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


def test_a_type_may_be_named_by_a_parameter_or_a_variable(tmp_path: Path) -> None:
    text = (
        '@kernel(parameters={"dtype": {"kind": "dtype", "values": ["int8", "float32"]}})\n'
        'def f(x: Tensor[T, "n"], dtype: str, y: Out[Tensor["T", "n"]]) -> Tensor["dtype", "n"]:\n'
        "    y[...] = x\n    return x.astype(dtype)\n"
    )
    told = signature(tmp_path, text)
    assert [one.get("dtype") for one in told["parameters"]] == ["T", None, "T"]
    assert told["result"]["dtype"] == "dtype"


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


def test_members_of_a_tensor_in_a_union_are_kept(tmp_path: Path) -> None:
    text = (
        "@kernel\ndef f(\n"
        '    a: Union[int, Tensor[np.int64, "n", {"spellings": ["object"]}]]\n) -> None: ...\n'
    )
    (parameter,) = signature(tmp_path, text)["parameters"]
    assert parameter["any_of"][1]["spellings"] == ["object"]

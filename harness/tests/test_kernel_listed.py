# SPDX-License-Identifier: Apache-2.0
"""Typed Python functions: calls that are listed, and others that are drawn from these."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from kernel_source import source, written
from tvmffi_conform import HarnessError
from tvmffi_conform.kernels import write_described

np = pytest.importorskip("numpy")


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

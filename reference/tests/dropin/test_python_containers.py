# SPDX-License-Identifier: Apache-2.0
"""The containers of the official Python package, like what test_python_package.py looks at."""

from __future__ import annotations

import copy
import importlib.metadata
import os
import subprocess
import sys
from pathlib import Path

import pytest
import tvm_ffi
from sent import LONG, REPLACEMENT, echo


def test_arrays() -> None:
    array = tvm_ffi.Array([1, "two", LONG, None, [4.5]])
    assert len(array) == 5
    assert array[-3] == LONG
    assert array[1:3] == ["two", LONG]
    assert "two" in array
    assert [4.5] in array
    assert 2 not in array
    assert list(array.__add__([6]))[-1] == 6
    with pytest.raises(IndexError):
        array[5]
    assert isinstance(echo([1, 2]), tvm_ffi.Array)
    assert isinstance(echo((1, 2)), tvm_ffi.Array)


def test_lists_change_in_place() -> None:
    values = tvm_ffi.List([1, 2, 3])
    same = echo(values)
    same.append(4)
    same.insert(0, 0)
    assert values.pop() == 4
    values.reverse()
    values[0] = LONG
    del values[1]
    values.extend([5])
    values[1:2] = ["a", "b"]
    assert list(same) == [LONG, "a", "b", 0, 5]
    assert values.index(0) == 3
    values.remove("a")
    with pytest.raises(IndexError):
        values[9] = 0
    values.clear()
    assert len(same) == 0


def test_maps() -> None:
    given = {"one": 1, 2: "two", None: [3], LONG: b"x", 1.5: True, "six": 6}
    built = tvm_ffi.Map(given)
    assert len(built) == 6
    assert list(built.keys()) == list(given)
    assert built[2] == "two"
    assert built.get("seven") is None
    assert "one" in built
    assert {key: value for key, value in built.items() if key is not None} == {
        key: value for key, value in given.items() if key is not None
    }
    with pytest.raises(KeyError):
        built["seven"]
    assert isinstance(echo({"a": 1}), tvm_ffi.Map)


def test_dicts_change_in_place() -> None:
    values = tvm_ffi.Dict({"a": 1})
    same = echo(values)
    for number in range(100):
        same[f"key {number}"] = number
    del same["a"]
    assert values.pop("key 7") == 7
    assert values.setdefault("new", LONG) == LONG
    values.update({"key 8": -8})
    assert (len(same), same["key 8"], same.get("key 7", "gone")) == (100, -8, "gone")
    assert list(same.keys())[:2] == ["key 0", "key 1"]
    with pytest.raises(KeyError):
        values["a"]
    values.clear()
    assert len(same) == 0


@pytest.mark.parametrize("kind", [tvm_ffi.Array, tvm_ffi.List])
def test_sequences_are_compared_and_hashed_by_content(kind: type) -> None:
    one, other = kind([1, LONG, [2, {"a": None}]]), kind([1, LONG, [2, {"a": None}]])
    assert one == other
    assert hash(one) == hash(other)
    assert one != kind([1, LONG, [2, {"a": 0}]])
    assert one != kind([1, LONG])
    assert kind([1]) != kind([True])
    assert kind([float("nan")]) == kind([float("nan")])
    assert kind([0.0]) == kind([-0.0])
    assert hash(kind([0.0])) == hash(kind([-0.0]))
    assert kind([tvm_ffi.Shape((1, 2))]) == kind([tvm_ffi.Shape((1, 2))])


@pytest.mark.parametrize("kind", [tvm_ffi.Map, tvm_ffi.Dict])
def test_maps_are_compared_and_hashed_by_content(kind: type) -> None:
    one, other = kind({1: "a", "b": [2], LONG: 3}), kind({LONG: 3, "b": [2], 1: "a"})
    assert one == other
    assert hash(one) == hash(other)
    assert one != kind({1: "a", "b": [3], LONG: 3})
    assert one != kind({1: "a", "c": [2], LONG: 3})


def test_what_contains_itself_is_compared() -> None:
    one, other = tvm_ffi.List([1]), tvm_ffi.List([1])
    one.append(one)
    other.append(other)
    assert one == other
    other.append(2)
    assert one != other
    one.clear()
    other.clear()


def test_containers_are_copied_deeply() -> None:
    shared = tvm_ffi.List([1, LONG])
    origin = tvm_ffi.Dict({"a": shared, "b": tvm_ffi.Array([shared]), (1,): tvm_ffi.Map({})})
    made = copy.deepcopy(origin)
    shared.append(2)
    assert list(made["a"]) == [1, LONG]
    assert made["a"].same_as(made["b"][0])
    assert len(made) == 3
    loop = tvm_ffi.List([])
    loop.append(loop)
    copied = copy.deepcopy(loop)
    assert copied[0].same_as(copied)
    assert not copied.same_as(loop)
    loop.clear()
    copied.clear()
    with pytest.raises(RuntimeError, match=r"ffi\.Function"):
        copy.deepcopy(tvm_ffi.List([copied, tvm_ffi.convert(echo)]))


def told(seed: int, package: Path) -> list[str]:
    """What operations.py prints with this copy of the package."""
    command = [
        sys.executable,
        str(Path(__file__).with_name("operations.py")),
        str(seed),
        "400",
    ]
    environment = {**os.environ, "PYTHONPATH": str(package)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert Path(done.stderr.strip()).is_relative_to(package), done.stderr
    return done.stdout.splitlines()


@pytest.mark.skipif(REPLACEMENT is None, reason="both libraries would be the same")
@pytest.mark.parametrize("seed", [1, 2])
def test_operations_by_chance_give_what_they_give_officially(seed: int) -> None:
    installed = importlib.metadata.distribution("numpy").locate_file("")
    with_ours = told(seed, Path(tvm_ffi.__file__).parents[1])
    assert len(with_ours) > 10000
    assert with_ours == told(seed, Path(str(installed)))

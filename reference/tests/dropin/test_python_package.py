# SPDX-License-Identifier: Apache-2.0
"""The official Python package: with the reference in place of its own library, and with that.

Both runs must pass, so what is expected here is what the official library does. TVMFFI_LIBRARY is
the library that takes the place, TVMFFI_MODULES the folder with module.so and add_one_cpu.so.
"""

from __future__ import annotations

import copy
import gc
import json
import os
import pickle
import threading
import traceback
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tvm_ffi
from sent import LONG, REPLACEMENT, echo


@tvm_ffi.register_error("DropInError")
class DropInError(RuntimeError):
    """A kind of error that the package doesn't know."""


def path_of(name: str) -> str:
    folder = os.environ.get("TVMFFI_MODULES")
    if not folder or not (Path(folder) / name).exists():
        pytest.skip(f"{name} was not built: it needs a C++ compiler and an official release")
    return str(Path(folder) / name)


@pytest.fixture(scope="module")
def module() -> tvm_ffi.Module:
    return tvm_ffi.load_module(path_of("module.so"))


@pytest.fixture
def global_name(request: pytest.FixtureRequest):
    name = f"dropin.{request.node.name}"
    yield name
    if tvm_ffi.get_global_func(name, allow_missing=True) is not None:
        tvm_ffi.remove_global_func(name)


def trace_of(error: BaseException) -> str:
    return "".join(traceback.format_exception(type(error), error, error.__traceback__))


# --------------------------------------------------------------------------------------------------
# Start
# --------------------------------------------------------------------------------------------------


def test_the_library_in_use_is_the_one_meant() -> None:
    maps = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    mapped = {Path(line.split()[-1]) for line in maps if line.endswith("/libtvm_ffi.so")}
    assert len(mapped) == 1, mapped
    used = mapped.pop()
    assert used.is_relative_to(Path(tvm_ffi.__file__).parent)
    if REPLACEMENT is not None:
        assert used.read_bytes() == Path(REPLACEMENT).read_bytes()


# --------------------------------------------------------------------------------------------------
# Functions
# --------------------------------------------------------------------------------------------------


def test_global_functions_are_registered_found_called_and_removed(
    global_name: str,
) -> None:
    @tvm_ffi.register_global_func(global_name)
    def add(left: int, right: int) -> int:
        return left + right

    found = tvm_ffi.get_global_func(global_name)
    assert found(3, 4) == 7
    assert global_name in tvm_ffi.registry.list_global_func_names()
    with pytest.raises(RuntimeError, match="already"):
        tvm_ffi.register_global_func(global_name, add)
    tvm_ffi.register_global_func(global_name, lambda left, right: left * right, override=True)
    assert tvm_ffi.get_global_func(global_name)(3, 4) == 12
    assert found(3, 4) == 7
    tvm_ffi.remove_global_func(global_name)
    assert tvm_ffi.get_global_func(global_name, allow_missing=True) is None
    with pytest.raises(ValueError, match="Cannot find"):
        tvm_ffi.get_global_func(global_name)


def test_functions_of_the_runtime_tell_what_they_take() -> None:
    metadata = tvm_ffi.get_global_func_metadata("ffi.ArraySize")
    assert '"ffi.Array"' in metadata["type_schema"]


def test_callbacks_take_and_give_functions() -> None:
    calls = []

    def apply(function: Callable[[int], int], number: int) -> int:
        calls.append(number)
        return function(number) + 1

    assert tvm_ffi.convert(apply)(lambda number: number * 2, 5) == 11
    made = tvm_ffi.convert(lambda by: tvm_ffi.convert(lambda number: number + by))(100)
    assert isinstance(made, tvm_ffi.Function)
    assert made(1) == 101
    assert calls == [5]


def test_callbacks_end_with_their_last_reference() -> None:
    class Callback:
        def __call__(self) -> int:
            return 1

    callback = Callback()
    watch = weakref.ref(callback)
    function = tvm_ffi.convert(callback)
    del callback
    assert function() == 1
    assert watch() is not None
    del function
    gc.collect()
    assert watch() is None


def test_functions_are_called_from_many_threads(global_name: str) -> None:
    tvm_ffi.register_global_func(global_name, lambda: threading.get_ident())

    def call(number: int) -> bool:
        own = tvm_ffi.get_global_func(global_name)() == threading.get_ident()
        return own and list(tvm_ffi.Array([number, LONG])) == [number, LONG]

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(call, range(400)))


# --------------------------------------------------------------------------------------------------
# Values
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        *(
            None,
            True,
            0,
            -1,
            2**63 - 1,
            -(2**63),
            2**100,
            -(2**100),
            0.0,
            1.5,
            float("inf"),
        ),
        *("", "seven b", LONG, "ä€😀\0z", b"", b"\0\xff", LONG.encode()),
        *(np.float32(1.5), np.int16(3)),
    ],
    ids=lambda value: f"{type(value).__name__}-{value!r:.12}",
)
def test_plain_values_come_back(value: object) -> None:
    assert echo(value) == value


def test_python_objects_come_back_as_themselves() -> None:
    value = object()
    assert echo(value) is value


def test_strings_are_python_strings() -> None:
    for text in ("x", LONG):
        given = echo(text)
        assert isinstance(given, str)
        assert given.upper() == text.upper()
        assert {given: 1}[text] == 1
    assert isinstance(echo(LONG.encode()), bytes)


@pytest.mark.parametrize(
    "name", ["int8", "uint32", "float32x4", "bfloat16", "float8_e4m3fn", "bool"]
)
def test_dtypes_are_read_printed_and_passed(name: str) -> None:
    dtype = tvm_ffi.dtype(name)
    assert str(dtype) == name
    assert echo(dtype) == dtype
    with pytest.raises(ValueError, match="no such type"):
        tvm_ffi.dtype("no such type")


def test_dtypes_of_numpy_are_taken() -> None:
    assert echo(np.dtype("int16")) == tvm_ffi.dtype("int16")
    assert tvm_ffi.dtype("float32").with_lanes(4) == tvm_ffi.dtype("float32x4")


def test_devices_are_read_printed_and_passed() -> None:
    device = tvm_ffi.device("cuda:3")
    assert (device.type, device.index, str(device)) == ("cuda", 3, "cuda:3")
    assert echo(device) == device
    assert echo(device) != tvm_ffi.device("cuda", 2)


def test_streams_are_set_and_asked_for() -> None:
    device = tvm_ffi.device("cuda", 0)
    with tvm_ffi.use_raw_stream(device, 0x1234):
        assert tvm_ffi.get_raw_stream(device) == 0x1234
    assert tvm_ffi.get_raw_stream(device) == 0


def test_shapes_are_tuples() -> None:
    shape = tvm_ffi.Shape((2, 3, 2**40))
    assert isinstance(shape, tuple)
    assert shape == (2, 3, 2**40)
    assert isinstance(echo(shape), tvm_ffi.Shape)
    assert echo(shape) == shape


# --------------------------------------------------------------------------------------------------
# Tensors
# --------------------------------------------------------------------------------------------------


def test_tensors_share_the_memory_of_numpy() -> None:
    origin = np.arange(6, dtype="float32").reshape(2, 3)
    tensor = tvm_ffi.from_dlpack(origin)
    assert tensor.shape == (2, 3)
    assert tensor.dtype == tvm_ffi.dtype("float32")
    assert tensor.device == tvm_ffi.device("cpu")
    assert tuple(tensor.strides) == (3, 1)
    back = np.from_dlpack(tensor)
    back[1, 2] = 50
    assert origin[1, 2] == 50


def test_strides_of_tensors_are_kept() -> None:
    origin = np.arange(12, dtype="int64").reshape(3, 4).T
    tensor = tvm_ffi.from_dlpack(origin)
    assert tuple(tensor.strides) == (1, 4)
    assert np.array_equal(np.from_dlpack(tensor), origin)


def test_tensors_keep_their_memory_alive() -> None:
    origin = np.arange(1000, dtype="int32")
    watch = weakref.ref(origin)
    back = np.from_dlpack(tvm_ffi.from_dlpack(origin))
    del origin
    gc.collect()
    assert watch() is not None
    assert back[999] == 999
    del back
    gc.collect()
    assert watch() is None


def test_arrays_of_numpy_are_passed_as_tensors() -> None:
    def look(tensor: tvm_ffi.Tensor) -> object:
        assert isinstance(tensor, tvm_ffi.Tensor)
        np.from_dlpack(tensor)[0] = 9
        return tensor

    given = np.zeros(3)
    result = tvm_ffi.convert(look)(given)
    assert given[0] == 9
    assert np.array_equal(np.from_dlpack(result), given)


# --------------------------------------------------------------------------------------------------
# Errors
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [ValueError, TypeError, KeyError, IndexError, AttributeError])
def test_errors_pass_through_callbacks(kind: type[Exception]) -> None:
    def fail() -> None:
        raise kind("from Python")

    with pytest.raises(kind, match="from Python") as caught:
        tvm_ffi.convert(fail)()
    assert type(caught.value) is kind
    assert "in fail" in trace_of(caught.value)


def test_errors_of_registered_kinds_pass() -> None:
    def fail() -> None:
        raise DropInError("of a new kind")

    with pytest.raises(DropInError, match="of a new kind"):
        tvm_ffi.convert(fail)()


def test_errors_of_the_runtime_reach_python() -> None:
    with pytest.raises(TypeError, match=r"ffi\.ArraySize"):
        tvm_ffi.get_global_func("ffi.ArraySize")(1)
    with pytest.raises(IndexError):
        tvm_ffi.get_global_func("ffi.ArrayGetItem")(tvm_ffi.Array([]), 0)
    assert echo(1) == 1


def test_errors_cross_several_languages(module: tvm_ffi.Module) -> None:
    def innermost() -> None:
        raise KeyError("raised by a callback")

    def middle() -> None:
        module.catch_error(innermost, True)

    with pytest.raises(KeyError, match="raised by a callback") as caught:
        module.catch_error(middle, True)
    trace = trace_of(caught.value)
    assert trace.index("in middle") < trace.index("in innermost")
    assert module.catch_error(innermost, False) == "KeyError: 'raised by a callback'"


def names_of_trace(error: BaseException) -> list[str]:
    """The functions of a trace, outermost first, without their parameters."""
    return [frame.name.partition("(")[0] for frame in traceback.extract_tb(error.__traceback__)]


def test_native_frames_stand_between_those_of_python() -> None:
    apply = tvm_ffi.get_global_func("testing.apply")

    def innermost() -> None:
        raise KeyError("raised by a callback")

    def middle() -> None:
        apply(innermost)

    with pytest.raises(KeyError, match="raised by a callback") as caught:
        apply(middle)
    native = [
        "tvm::ffi::TestApply",
        "TVMFFIPyCallback",
        "TVMFFIPyCallManager::ForwardPyErrorToFFI",
        "TVMFFICyErrorSetRaisedFromPyError",
    ]
    call = "tvm_ffi.core.Function.__call__"
    assert names_of_trace(caught.value)[1:] == [call, *native, "middle", call, *native, "innermost"]


def test_errors_of_cxx_reach_python_with_their_trace(module: tvm_ffi.Module) -> None:
    with pytest.raises(ValueError, match="thrown in C") as caught:
        module.fail("thrown in C++")
    trace = trace_of(caught.value)
    assert "module.cc" in trace
    assert "Fail" in trace
    with pytest.raises(TypeError, match="Mismatched number of arguments"):
        module.add(1)


# --------------------------------------------------------------------------------------------------
# Modules
# --------------------------------------------------------------------------------------------------


def test_modules_are_loaded_and_asked(module: tvm_ffi.Module) -> None:
    assert module.kind == "library"
    assert len(module.imports) == 0
    assert module.implements_function("add")
    assert not module.implements_function("missing")
    assert module.get_function_doc("add") == "adds two numbers"
    assert "ffi.Map" in module.get_function_metadata("lengths")["type_schema"]
    with pytest.raises(AttributeError):
        module.missing(1)
    with pytest.raises(RuntimeError):
        tvm_ffi.load_module("/nowhere/missing.so")


def test_modules_import_modules(module: tvm_ffi.Module) -> None:
    other = tvm_ffi.load_module(path_of("add_one_cpu.so"))
    other.import_module(module)
    assert [imported.kind for imported in other.imports] == ["library"]
    assert other.get_function("add", query_imports=True)(1, 2) == 3
    other.clear_imports()
    assert not other.implements_function("add", query_imports=True)


def test_the_system_library_is_there() -> None:
    assert tvm_ffi.system_lib().kind == "library"


def test_the_example_kernel_runs() -> None:
    kernel = tvm_ffi.load_module(path_of("add_one_cpu.so"))
    x, y = np.array([1, 2, 3, 4, 5], dtype="float32"), np.empty(5, dtype="float32")
    kernel.add_one_cpu(x, y)
    assert np.array_equal(y, x + 1)
    with pytest.raises(TypeError, match="two tensors"):
        kernel.add_one_cpu(x)
    with pytest.raises(ValueError, match="same length"):
        kernel.add_one_cpu(x, y[:2])


def test_functions_of_cxx_take_and_give_everything(module: tvm_ffi.Module) -> None:
    assert module.add(40, 2) == 42
    assert module.halve(5) == 2.5
    assert module.negate(False) is True
    assert module.greet(LONG) == f"hello, {LONG}"
    assert module.reverse_bytes(b"a\0b") == b"b\0a"
    assert module.reverse_shape((1, 2, 3)) == (3, 2, 1)
    assert module.with_lanes(tvm_ffi.dtype("float32"), 4) == tvm_ffi.dtype("float32x4")
    assert module.next_device(tvm_ffi.device("cuda", 1)) == tvm_ffi.device("cuda", 2)
    assert list(module.squares([1, 2, 3])) == [1, 4, 9]
    assert dict(module.lengths(["a", LONG])) == {"a": 1, LONG: len(LONG)}
    assert module.total({"a": 1, "b": 2}) == 3
    assert module.name_of(5) == "number 5"
    assert module.name_of(None) is None
    assert module.twice(lambda number: number * 10)(1) == 100
    assert module.apply(lambda number: number + 1, 1) == 2


def test_tensors_of_cxx(module: tvm_ffi.Module) -> None:
    assert module.sum(np.array([1, 2, 3.5], dtype="float32")) == 6.5
    made = module.iota(4)
    values = np.from_dlpack(made)
    assert values.tolist() == [0, 0.5, 1, 1.5]
    assert module.same(made).same_as(made)
    del made
    gc.collect()
    assert values.tolist() == [0, 0.5, 1, 1.5]


def test_classes_of_cxx_have_fields_and_methods(module: tvm_ffi.Module) -> None:
    @tvm_ffi.register_object("dropin.Counter")
    class Counter(tvm_ffi.Object):
        """What the module registers under this key."""

    counter = module.make_counter(3, LONG)
    assert isinstance(counter, Counter)
    assert (counter.count, counter.name, len(counter.steps)) == (3, LONG, 0)
    assert counter.advance(2) == 5
    counter.count = 100
    counter.name = "x"
    assert (counter.advance(1), counter.name, list(counter.steps)) == (101, "x", [2, 1])
    assert Counter.make(7, "made").count == 7
    assert tvm_ffi.get_global_func("dropin.counted")(counter) == 101
    with pytest.raises(ValueError, match="never goes back"):
        counter.advance(-1)
    with pytest.raises(TypeError):
        counter.name = 5
    with pytest.raises(AttributeError):
        counter.steps = []


# --------------------------------------------------------------------------------------------------
# Classes, texts in JSON
# --------------------------------------------------------------------------------------------------


def make_python_class() -> object:
    @tvm_ffi.dataclasses.py_class("dropin.PythonClass")
    class PythonClass(tvm_ffi.Object):
        number: int

    return PythonClass(1)


def make_enum() -> object:
    class Color(tvm_ffi.dataclasses.Enum, type_key="dropin.Color"):
        red = tvm_ffi.dataclasses.auto()

    return Color.red


def import_testing() -> object:
    import tvm_ffi.testing

    return tvm_ffi.testing.add_one(1)


def test_python_classes_have_their_fields() -> None:
    assert make_python_class().number == 1


def test_enumerations_have_their_members() -> None:
    red = make_enum()
    assert type(red).red is red


def test_the_package_for_tests_is_imported() -> None:
    assert import_testing() == 2


def test_json_is_read() -> None:
    assert list(tvm_ffi.get_global_func("ffi.json.Parse")("[1]")) == [1]


def test_containers_are_printed() -> None:
    assert repr(tvm_ffi.Array([1])) == "(1,)"


def test_values_are_pickled_with_what_they_share() -> None:
    inner = tvm_ffi.Array([1, LONG])
    value = tvm_ffi.Map({"a": inner, "b": inner, "c": b"\0\xff"})
    text = tvm_ffi.serialization.to_json_graph_str(value, {"by": "dropin"})
    assert json.loads(text)["metadata"] == {"by": "dropin"}
    for again in (
        pickle.loads(pickle.dumps(value)),
        tvm_ffi.serialization.from_json_graph_str(text),
    ):
        assert list(again["a"]) == [1, LONG]
        assert again["b"].same_as(again["a"])
        assert again["c"] == b"\0\xff"
    assert list(copy.copy(inner)) == [1, LONG]


# --------------------------------------------------------------------------------------------------
# Values by their structure
# --------------------------------------------------------------------------------------------------


@tvm_ffi.dataclasses.py_class("dropin.Var", structural_eq="var")
class Var(tvm_ffi.Object):
    """A variable, whose name says nothing."""

    name: str = tvm_ffi.dataclasses.field(structural_eq="ignore")


@tvm_ffi.dataclasses.py_class("dropin.Lambda")
class Lambda(tvm_ffi.Object):
    """What defines variables."""

    params: Any = tvm_ffi.dataclasses.field(structural_eq="def")
    body: Any


def make_lambda(name: str, number: int) -> Lambda:
    var = Var(name)
    return Lambda(tvm_ffi.Array([var]), tvm_ffi.Array([number, var]))


def test_values_are_compared_by_their_structure() -> None:
    one, same, other = make_lambda("x", 1), make_lambda("y", 1), make_lambda("x", 2)
    assert tvm_ffi.structural_equal(one, same)
    assert tvm_ffi.structural_hash(one) == tvm_ffi.structural_hash(same)
    assert not tvm_ffi.structural_equal(one, other)
    paths = tvm_ffi.get_first_structural_mismatch(one, other)
    assert [repr(path) for path in paths] == ["<root>.body[0]"] * 2
    assert not tvm_ffi.structural_equal(Var("x"), Var("y"))
    assert tvm_ffi.structural_equal(Var("x"), Var("y"), map_free_vars=True)
    keys = {tvm_ffi.StructuralKey(value): value for value in (one, same, other)}
    assert len(keys) == 2
    assert len(tvm_ffi.Map({tvm_ffi.StructuralKey(value): 1 for value in (one, same)})) == 1


def test_values_are_walked() -> None:
    met = []
    result = tvm_ffi.structural_walk(
        make_lambda("x", 1),
        (int, met.append),
        with_def_region_kind=(Var, lambda var, kind: met.append((var.name, int(kind)))),
    )
    assert result is None
    assert met == [("x", 1), 1, ("x", 0)]
    found = tvm_ffi.structural_walk(
        tvm_ffi.Array([1, 2]), (int, lambda number: tvm_ffi.VisitInterrupt(number))
    )
    assert found.value == 1


def test_values_are_replaced() -> None:
    before = tvm_ffi.Array([make_lambda("x", 1), tvm_ffi.Map({"k": 5})])
    after = tvm_ffi.structural_map(before, (int, lambda number: number + 1))
    assert after[0].body[0] == 2
    assert after[0].params.same_as(before[0].params)
    assert after[1]["k"] == 6
    assert before[0].body[0] == 1
    moved = tvm_ffi.Array([1])
    handle = moved.__chandle__()
    again = tvm_ffi.structural_map(moved._move(), (int, lambda number: number + 1))
    assert (again.__chandle__(), list(again)) == (handle, [2])


def test_errors_of_walks_say_where() -> None:
    def fail(number: int) -> None:
        raise ValueError(f"met {number}")

    root = tvm_ffi.Array([tvm_ffi.Map({"k": tvm_ffi.Array([7])})])
    with pytest.raises(ValueError, match="met 7") as caught:
        tvm_ffi.structural_walk(root, (int, fail))
    context = caught.value.__tvm_ffi_error__.extra_context
    assert [type(node).__name__ for node in context.reverse_visit_pattern] == [
        "Array",
        "Map",
        "Array",
    ]


def test_paths_have_steps() -> None:
    path = tvm_ffi.access_path.AccessPath.root().attr("a").array_item(3).map_item_missing("k")
    assert repr(path) == '<root>.a[3][<missing:"k">]'
    assert [step.key for step in path.to_steps()] == ["a", 3, "k"]
    assert path.parent.is_prefix_of(path)
    assert path != path.parent

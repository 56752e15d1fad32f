# SPDX-License-Identifier: Apache-2.0
"""Mistakes of trace_bugs.def that a Python program can make through ctypes, each with a right twin.

trace_bugs.py RUNTIME.so FAULTY.so MODULE.so wrong|right|names

They have the names of the table. FAULTY is trace_runtime.c, a runtime that is at fault or lets
mistakes pass; MODULE is trace_module.c.
"""

from __future__ import annotations

import ctypes
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable
from ctypes import POINTER, addressof, byref, c_int, c_int64, c_void_p, cast

import trace_bugs_life  # noqa: F401  (plants mistakes)
from trace_abi import (
    BOOL,
    BYTE_ARRAY,
    C_STRING,
    CODE,
    DELETER,
    DTYPE,
    ERROR,
    FLOAT,
    FUNCTION,
    INIT,
    INT,
    MODULE,
    NONE,
    OBJECT,
    ONE_WEAK,
    RELEASE,
    RVALUE,
    SMALL_BYTES,
    SMALL_STRING,
    STRING,
    TENSOR_POINTER,
    VALUES,
    Bytes,
    Error,
    Function,
    Managed,
    Object,
    Tensor,
    Value,
    anything,
    api,
    bugs,
    call,
    dead,
    fail,
    faulty,
    forget_error,
    keep,
    kept,
    living,
    make,
    new_object,
    nothing,
    planted,
    release,
    text,
)

# --- Arguments and results -----------------------------------------------------------------------


def argument(name: str, wrong: Callable[[], Value], right: Callable[[], Value]) -> None:
    def bug(is_wrong: bool) -> None:
        function = make(anything)
        call(function, (wrong if is_wrong else right)())
        release(function)

    bug.__name__ = name
    planted(bug)


def value(kind: int, payload: int = 0, padding: int = 0) -> Callable[[], Value]:
    return lambda: Value(kind, padding, payload)


def bytes_of(words: bytes) -> int:
    return int.from_bytes(words, "little")


def function_value(kind: int = FUNCTION) -> Callable[[], Value]:
    return lambda: Value(kind, 0, make(anything).value)


c_text = ctypes.create_string_buffer(b"text")
argument("argument_padding", value(INT, 1, 7), value(INT, 1))
argument("argument_small_length", value(SMALL_STRING, 0, 8), value(SMALL_STRING, 0, 7))
argument(
    "argument_unused_bytes",
    value(SMALL_BYTES, bytes_of(b"hi x"), 2),
    value(SMALL_BYTES, bytes_of(b"hi"), 2),
)
argument("argument_dtype_tail", value(DTYPE, 1 << 40), value(DTYPE, 0x00012002))
argument("argument_none_payload", value(NONE, 1), value(NONE))
argument("argument_bool", value(BOOL, 2), value(BOOL, 1))
argument("argument_type_index", value(40), value(FLOAT))
argument("argument_null_object", value(FUNCTION), function_value())
argument("argument_no_object", value(FUNCTION, 0x1230), function_value())
argument("argument_dead_object", value(OBJECT, addressof(dead)), value(OBJECT, addressof(living)))
argument("argument_index_differs", function_value(OBJECT), function_value())
argument("argument_null_string", value(C_STRING), value(C_STRING, addressof(c_text)))
argument(
    "argument_null_bytes",
    value(BYTE_ARRAY, keep(Bytes(None, 5))),
    value(BYTE_ARRAY, keep(text(b"bytes"))),
)
argument(
    "argument_rvalue_moved",
    value(RVALUE, keep(c_void_p())),
    value(RVALUE, keep(c_void_p(addressof(living)))),
)


def result(name: str, wrong: Callable[[], Value], right: Callable[[], Value]) -> None:
    def bug(is_wrong: bool) -> None:
        def code(_self: object, _args: object, _count: int, out: VALUES) -> int:
            out[0] = (wrong if is_wrong else right)()
            return 0

        function = make(code)
        call(function, Value(INT))
        forget_error()
        release(function)

    bug.__name__ = name
    planted(bug)


result("result_padding", value(INT, 1, 9), value(INT, 1))
result("result_small_length", value(SMALL_STRING, 0, 9), value(SMALL_STRING))
result("result_unused_bytes", value(DTYPE, 1 << 32), value(DTYPE))
result("result_none_payload", value(NONE, 5), value(NONE))
result("result_bool", value(BOOL, 3), value(BOOL, 1))
result("result_type_index", value(50), value(INT, 1))
result("result_view", value(C_STRING, addressof(c_text)), value(INT, 1))
result("result_null_object", value(OBJECT), value(NONE))
result("result_dead_object", value(OBJECT, addressof(dead)), value(OBJECT, addressof(living)))
result("result_index_differs", value(STRING, addressof(living)), value(OBJECT, addressof(living)))


# --- Calls ---------------------------------------------------------------------------------------


def called(name: str, code: Callable[[bool, VALUES, VALUES], int]) -> None:
    """A function that makes the mistake itself."""

    def bug(wrong: bool) -> None:
        function = make(lambda _self, args, _count, out: code(wrong, args, out))
        call(function, Value(INT))
        forget_error()
        release(function)

    bug.__name__ = name
    planted(bug)


def change_result(wrong: bool, _args: VALUES, out: VALUES) -> int:
    if wrong:
        out[0] = Value(INT, 0, 1)
    return fail()


def write_arguments(wrong: bool, args: VALUES, _out: VALUES) -> int:
    args[0].payload += wrong
    return 0


def leave_stream(wrong: bool, _args: VALUES, _out: VALUES) -> int:
    before = c_void_p()
    api.TVMFFIEnvSetStream(2, 1, c_void_p(0x10), byref(before))
    if not wrong:
        api.TVMFFIEnvSetStream(2, 1, before, None)
    return 0


called("call_code", lambda wrong, _args, _out: fail(5 if wrong else -1))
called("call_failed_without_error", lambda wrong, _args, _out: -1 if wrong else fail())
called("call_failed_result_changed", change_result)
called("call_arguments_written", write_arguments)
called("stream_not_restored", leave_stream)


@planted
def call_argument_count(wrong: bool) -> None:
    function, out = make(anything), Value()
    in_place = CODE(c_void_p.from_address(function.value + ctypes.sizeof(Object)).value)
    in_place(function, None, -1 if wrong else 0, byref(out))
    release(function)


@planted
def call_null_result(wrong: bool) -> None:
    function, out = make(anything), Value()
    api.TVMFFIFunctionCall(function, None, 0, None if wrong else byref(out))
    release(function)


@planted
def call_result_holds_object(wrong: bool) -> None:
    function = make(anything)
    call(function, None, Value(OBJECT, 0, addressof(living)) if wrong else None)
    release(function)


@planted
def call_result_dirty(wrong: bool) -> None:
    function = make(anything)
    call(function, None, Value(NONE, 0, 77 * wrong))
    release(function)


# --- Errors and registration ---------------------------------------------------------------------


@planted
def error_raised_no_error(wrong: bool) -> None:
    if wrong:
        api.TVMFFIErrorSetRaised(byref(living))
    else:
        fail()
    forget_error()


@planted
def error_raised_cell(wrong: bool) -> None:
    error = Error(Object(ONE_WEAK + 2, ERROR), text(b"ValueError"), text(b"planned"))
    keep(error)
    error.cause = 0x1238 if wrong else None
    api.TVMFFIErrorSetRaised(byref(error))
    moved = c_void_p()
    api.TVMFFIErrorMoveFromRaised(byref(moved))
    error.cause = None


@planted
def error_overwritten(wrong: bool) -> None:
    fail()
    if not wrong:
        forget_error()
    fail()
    forget_error()


@planted
def name_registered_twice(wrong: bool) -> None:
    name, function = text(b"trace.twice"), make(anything)
    api.TVMFFIFunctionSetGlobal(byref(name), function, 0)
    if api.TVMFFIFunctionSetGlobal(byref(name), function, int(not wrong)):
        forget_error()
    release(function)


def type_of(key: bytes, depth: int = 1, parent: int = OBJECT) -> int:
    return api.TVMFFITypeGetOrAllocIndex(byref(text(key)), -1, depth, 0, 1, parent)


@planted
def attribute_registered_twice(wrong: bool) -> None:
    kind, one = type_of(b"trace.Attributes"), Value(INT, 0, 1)
    api.TVMFFITypeRegisterAttr(kind, byref(text(b"trace.attribute")), byref(one))
    again = b"trace.attribute" if wrong else b"trace.other"
    if api.TVMFFITypeRegisterAttr(kind, byref(text(again)), byref(one)):
        forget_error()


@planted
def type_key_conflict(wrong: bool) -> None:
    parent = type_of(b"trace.Parent")
    type_of(b"trace.Conflict")
    type_of(b"trace.Conflict", 1 + wrong, parent if wrong else OBJECT)


@planted
def type_index_unknown(wrong: bool) -> None:
    api.TVMFFIGetTypeInfo(1 << 20 if wrong else OBJECT)


# --- Tensors, environment, modules ---------------------------------------------------------------

elements = (ctypes.c_float * 16)()
first = -(-addressof(elements) // 16) * 16
extents, strides = (c_int64 * 2)(2, 4), (c_int64 * 2)(4, 1)
negative, huge = (c_int64 * 2)(2, -4), (c_int64 * 2)((1 << 63) - 1, 4)


def right_tensor(**changes: object) -> Tensor:
    made = Tensor(first, 1, 0, 2, 2, 32, 1, extents, strides, 0)
    for name, change in changes.items():
        setattr(made, name, change)
    kept.append(made)
    return made


def tensor(name: str, **changes: object) -> None:
    def of(**some: object) -> Callable[[], Value]:
        return lambda: Value(TENSOR_POINTER, 0, addressof(right_tensor(**some)))

    argument(name, of(**changes), of())


argument(
    "tensor_unmapped", value(TENSOR_POINTER, 0x2468), value(TENSOR_POINTER, keep(right_tensor()))
)
tensor("tensor_rank", ndim=-1)
tensor("tensor_extent", shape=negative)
tensor("tensor_null_strides", strides=None)
tensor("tensor_size", shape=huge)
tensor("tensor_alignment", data=first + 2)
tensor("tensor_byte_offset", offset=8)


def imported(**changes: object) -> tuple[Managed, c_void_p]:
    made = Managed(1, 1, None, keep(RELEASE(lambda _self: None)), 0, right_tensor())
    for name, change in changes.items():
        setattr(made, name, change)
    kept.append(made)
    out = c_void_p()
    if api.TVMFFITensorFromDLPackVersioned(byref(made), 0, 0, byref(out)):
        forget_error()
    return made, out


@planted
def dlpack_version(wrong: bool) -> None:
    _, out = imported(major=2 if wrong else 1)
    if out:
        release(out)


@planted
def dlpack_released_by_importer(wrong: bool) -> None:
    made, out = imported()
    if wrong:
        RELEASE(made.deleter)(addressof(made))
        made.deleter = None
    release(out)


@planted
def device_negative(wrong: bool) -> None:
    api.TVMFFIEnvGetStream(2, -1 if wrong else 0)


slot = c_void_p()


def initialize(code: Callable[[POINTER(c_void_p)], int]) -> None:
    slot.value = None
    entry = INIT(code)
    kept.append(entry)
    if api.TVMFFIHandleInitOnce(byref(slot), entry):
        forget_error()


def give_handle(out: POINTER(c_void_p)) -> int:
    out[0] = addressof(slot)
    return 0


def reenter(out: POINTER(c_void_p)) -> int:
    entry = INIT(give_handle)
    kept.append(entry)
    if api.TVMFFIHandleInitOnce(byref(slot), entry):
        forget_error()
    return give_handle(out)


@planted
def once_reentered(wrong: bool) -> None:
    initialize(reenter if wrong else give_handle)


other_slot = c_void_p()


def nest(out: POINTER(c_void_p)) -> int:
    entry = INIT(give_handle)
    kept.append(entry)
    if api.TVMFFIHandleInitOnce(byref(other_slot), entry):
        forget_error()
    return give_handle(out)


@planted
def once_nested(wrong: bool) -> None:
    other_slot.value = None if wrong else addressof(slot)
    initialize(nest)


@planted
def once_without_handle(wrong: bool) -> None:
    initialize((lambda _out: 0) if wrong else give_handle)


@planted
def once_failed_without_error(wrong: bool) -> None:
    initialize((lambda _out: -1) if wrong else give_handle)


@planted
def module_context_null(wrong: bool) -> None:
    out = c_void_p()
    if wrong and api.TVMFFIEnvModLookupFromImports(None, b"name", byref(out)):
        forget_error()


# --- What the preset deep finds ------------------------------------------------------------------

argument("argument_unmapped", value(C_STRING, 0x2468), value(C_STRING, addressof(c_text)))
tensor("tensor_data_unmapped", data=0x2468)


def leave_error(wrong: bool, _args: VALUES, _out: VALUES) -> int:
    return fail(0) if wrong else 0


called("call_left_error", leave_error)


def interrupted() -> int:
    return -1


def check_signals() -> int:
    ask, free = ctypes.CFUNCTYPE(c_int)(interrupted), ctypes.CFUNCTYPE(None, c_int)(lambda _: None)
    kept.extend((ask, free))
    api.TVMFFIEnvRegisterCAPI(b"PyGILState_Ensure", ask)
    api.TVMFFIEnvRegisterCAPI(b"PyGILState_Release", free)
    api.TVMFFIEnvRegisterCAPI(b"PyErr_CheckSignals", ask)
    return api.TVMFFIEnvCheckSignals()


called("call_code_signal", lambda wrong, _args, _out: -2 if wrong or check_signals() else 0)


@planted
def call_argument_released(wrong: bool) -> None:
    def code(_self: object, args: VALUES, _count: int, _out: object) -> int:
        if wrong:
            release(c_void_p(args[0].payload))
        return 0

    function, passed = make(code), make(anything)
    api.TVMFFIObjectIncRef(passed)
    call(function, Value(FUNCTION, 0, passed.value))
    if not wrong:
        release(passed)
    release(passed)
    release(function)


MANY = 100


@planted
def objects_left(wrong: bool) -> None:
    def code(_self: object, _args: VALUES, _count: int, _out: VALUES) -> int:
        made = make(anything)
        if not wrong:
            release(made)
        return 0

    function = make(code)
    for _ in range(MANY):
        call(function)
    release(function)


@planted
def objects_kept(wrong: bool) -> None:
    def code(_self: object, _args: VALUES, _count: int, out: VALUES) -> int:
        out[0] = Value(FUNCTION, 0, make(anything).value)
        return 0

    function = make(code)
    for _ in range(MANY):
        out = Value()
        call(function, None, out)
        if not wrong:
            release(c_void_p(out.payload))
    release(function)


# --- Through a runtime that is at fault, or lets mistakes pass ------------------------------------


def set_faulty(wrong: bool) -> None:
    ctypes.c_bool.in_dll(faulty, "trace_runtime_wrong").value = wrong


@planted
def error_raised_null_text(wrong: bool) -> None:
    faulty.TVMFFIErrorSetRaisedFromCStr(b"ValueError", None if wrong else b"planned")


@planted
def dlpack_read_only_lost(wrong: bool) -> None:
    read_only = 1
    made = Managed(1, 1, None, keep(RELEASE(lambda _self: None)), read_only, right_tensor())
    kept.append(made)
    inside, out = c_void_p(), c_void_p()
    set_faulty(wrong)
    faulty.TVMFFITensorFromDLPackVersioned(byref(made), 0, 0, byref(inside))
    faulty.TVMFFITensorToDLPackVersioned(inside, byref(out))
    set_faulty(False)


@planted
def allocator_original(wrong: bool) -> None:
    nothing = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_void_p)(lambda *_: -1)
    kept.append(nothing)
    original = c_void_p()
    set_faulty(wrong)
    faulty.TVMFFIEnvSetDLPackManagedTensorAllocator(nothing, 0, byref(original))
    faulty.TVMFFIEnvSetDLPackManagedTensorAllocator(None, 0, byref(original))
    set_faulty(False)


@planted
def closure_deleter_skipped(wrong: bool) -> None:
    closes = c_int.in_dll(faulty, "trace_runtime_closes")  # with 1, it closes no function
    closes.value = int(wrong)
    made, end, entry = c_void_p(), RELEASE(lambda _self: None), CODE(anything)
    kept.extend((end, entry))
    assert faulty.TVMFFIFunctionCreate(addressof(living), entry, end, byref(made)) == 0
    header = Object.from_address(made.value)
    header.count = ONE_WEAK
    DELETER(header.deleter)(made.value, 3)
    closes.value = 0


@planted
def runtimes_mixed(wrong: bool) -> None:
    kind, function = type_of(b"trace.Mixed"), make(anything)
    given = Value(kind, 0, addressof(new_object(ONE_WEAK + 1, kind, keep(nothing))))
    call(function, given)
    if wrong:
        faulty.TVMFFIFunctionCall(function, byref(given), 1, byref(Value()))
    release(function)


@planted
def call_raised_no_error(wrong: bool) -> None:
    def code(_self: object, _args: object, _count: int, _result: object) -> int:
        if not wrong:
            return fail()
        faulty.TVMFFIErrorSetRaised(byref(living))
        return -1

    function, raised = make(code), c_void_p()
    api.TVMFFIFunctionCall(function, None, 0, byref(Value()))
    faulty.TVMFFIErrorMoveFromRaised(byref(raised))
    forget_error()
    release(function)


@planted
def call_no_function(wrong: bool) -> None:
    kind = OBJECT if wrong else FUNCTION
    made = Function(Object(ONE_WEAK + 1, kind), keep(CODE(anything)))
    kept.append(made)
    faulty.TVMFFIFunctionCall(byref(made), None, 0, byref(Value()))


@planted
def lookup_nested(wrong: bool) -> None:
    depths = [0]

    def again() -> None:
        depths.append(len(depths))
        if len(depths) == 2:
            faulty.TVMFFIEnvModLookupFromImports(addressof(slot), b"inner", byref(c_void_p()))

    entry = ctypes.CFUNCTYPE(None)(again)
    on_lookup = c_void_p.in_dll(faulty, "trace_runtime_on_lookup")
    on_lookup.value = keep(entry) if wrong else None
    for name in (b"outer", b"next"):
        faulty.TVMFFIEnvModLookupFromImports(addressof(slot), name, byref(c_void_p()))
    on_lookup.value = None


@planted
def function_of_data(wrong: bool) -> None:
    module, getter, name = new_object(ONE_WEAK + 1, MODULE), c_void_p(), b"_library_ctx"
    set_faulty(wrong)
    faulty.TVMFFIFunctionGetGlobal(byref(text(b"ffi.ModuleGetFunction")), byref(getter))
    c_name = ctypes.create_string_buffer(name)
    args = (Value * 3)(
        Value(MODULE, 0, addressof(module)), Value(C_STRING, 0, addressof(c_name)), Value(BOOL)
    )
    faulty.TVMFFIFunctionCall(getter, args, 3, byref(Value()))
    set_faulty(False)


@planted
def module_context_dead(wrong: bool) -> None:
    module = new_object(ONE_WEAK + (not wrong), MODULE)
    faulty.TVMFFIEnvModLookupFromImports(byref(module), b"name", byref(c_void_p()))


# --- Of modules ----------------------------------------------------------------------------------


@planted
def stream_not_asked(wrong: bool) -> None:
    module = ctypes.CDLL(sys.argv[3])
    stream = c_void_p.in_dll(module, "trace_module_stream")
    stream.value = None if wrong else cast(api.TVMFFIEnvGetStream, c_void_p).value
    cuda = 2
    given = Value(TENSOR_POINTER, 0, addressof(right_tensor(device_type=cuda)))
    module.__getattr__("__tvm_ffi_kernel")(None, byref(given), 1, byref(Value()))


@planted
def library_closed_early(wrong: bool) -> None:
    # Another file, since the module of the other mistake stays loaded.
    with tempfile.TemporaryDirectory() as folder:
        module = ctypes.CDLL(shutil.copy(sys.argv[3], folder))
    made = new_object(ONE_WEAK + 1, OBJECT, cast(module.trace_module_deleter, c_void_p).value)
    api.TVMFFIObjectIncRef(byref(made))
    made.count = ONE_WEAK
    if not wrong:
        DELETER(made.deleter)(addressof(made), 3)
    ctypes.CDLL(None).dlclose(c_void_p(module._handle))


# Last: they start threads. A function that is dropped by a registration has another thread register
# something.
@planted
def registration_overlaps(wrong: bool) -> None:
    first, second = text(b"trace.first"), text(b"trace.second")
    function, dropped = make(anything), c_void_p()

    def register_second() -> None:
        mine = make(anything)
        api.TVMFFIFunctionSetGlobal(byref(second), mine, 1)
        release(mine)

    def on_end(_self: object) -> None:
        if wrong:
            thread = threading.Thread(target=register_second)
            thread.start()
            thread.join()

    entry, end = CODE(anything), RELEASE(on_end)
    kept.extend((entry, end))
    api.TVMFFIFunctionCreate(None, entry, end, byref(dropped))
    api.TVMFFIFunctionSetGlobal(byref(first), dropped, 1)
    release(dropped)
    api.TVMFFIFunctionSetGlobal(byref(first), function, 1)
    release(function)


@planted
def error_fetched_elsewhere(wrong: bool) -> None:
    function, out = make(lambda *_: fail()), Value()
    api.TVMFFIFunctionCall(function, None, 0, byref(out))
    if wrong:
        thread = threading.Thread(target=forget_error)
        thread.start()
        thread.join()
    forget_error()
    release(function)


if sys.argv[4] == "names":
    print(*(bug.__name__ for bug in bugs), sep="\n")
else:
    for bug in bugs:
        bug(sys.argv[4] == "wrong")

# SPDX-License-Identifier: Apache-2.0
"""The ABI for Python programs with mistakes: its layouts, and the runtime that they call."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from ctypes import (
    POINTER,
    Structure,
    addressof,
    byref,
    c_char_p,
    c_int,
    c_int32,
    c_int64,
    c_uint8,
    c_uint16,
    c_uint32,
    c_uint64,
    c_void_p,
    cast,
)

NONE, INT, BOOL, FLOAT, DTYPE, TENSOR_POINTER = 0, 1, 2, 3, 5, 7
C_STRING, BYTE_ARRAY, RVALUE = 8, 9, 10
SMALL_STRING, SMALL_BYTES, OBJECT, STRING, ERROR, FUNCTION = 11, 12, 64, 65, 67, 68
TENSOR, MODULE, OPAQUE = 70, 73, 74
ONE_WEAK = 1 << 32


class Value(Structure):
    """A TVMFFIAny."""

    _fields_ = (("type", c_int32), ("padding", c_uint32), ("payload", c_uint64))


class Object(Structure):
    """The header of an object."""

    _fields_ = (
        ("count", c_uint64),
        ("type", c_int32),
        ("padding", c_uint32),
        ("deleter", c_void_p),
    )


class Bytes(Structure):
    _fields_ = (("data", c_char_p), ("size", c_uint64))


class Error(Structure):
    """An error object."""

    _fields_ = (
        ("header", Object),
        ("kind", Bytes),
        ("message", Bytes),
        ("backtrace", Bytes),
        ("update", c_void_p),
        ("cause", c_void_p),
        ("context", c_void_p),
    )


class Tensor(Structure):
    """A DLTensor."""

    _fields_ = (
        ("data", c_void_p),
        ("device_type", c_int32),
        ("device", c_int32),
        ("ndim", c_int32),
        ("code", c_uint8),
        ("bits", c_uint8),
        ("lanes", c_uint16),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("offset", c_uint64),
    )


class Managed(Structure):
    """A DLManagedTensorVersioned."""

    _fields_ = (
        ("major", c_uint32),
        ("minor", c_uint32),
        ("context", c_void_p),
        ("deleter", c_void_p),
        ("flags", c_uint64),
        ("tensor", Tensor),
    )


class Function(Structure):
    """A function object."""

    _fields_ = (("header", Object), ("safe_call", c_void_p), ("cpp_call", c_void_p))


VALUES = POINTER(Value)
CODE = ctypes.CFUNCTYPE(c_int, c_void_p, VALUES, c_int32, VALUES)
DELETER = ctypes.CFUNCTYPE(None, c_void_p, c_int)
RELEASE = ctypes.CFUNCTYPE(None, c_void_p)
INIT = ctypes.CFUNCTYPE(c_int, POINTER(c_void_p))
api, faulty = ctypes.CDLL(sys.argv[1]), ctypes.CDLL(sys.argv[2])
kept: list[object] = []  # what the runtime has pointers to
bugs: list[Callable[[bool], None]] = []
planted = bugs.append


def keep(thing: ctypes._CData) -> int:
    """Its address; it lives on."""
    kept.append(thing)
    return cast(thing, c_void_p).value if isinstance(thing, ctypes._CFuncPtr) else addressof(thing)


def text(words: bytes) -> Bytes:
    return Bytes(words, len(words))


def make(code: Callable) -> c_void_p:
    function = c_void_p()
    entry = CODE(code)
    kept.append(entry)
    assert api.TVMFFIFunctionCreate(None, entry, None, byref(function)) == 0
    return function


def call(function: c_void_p, argument: Value | None = None, result: Value | None = None) -> None:
    result = result or Value()
    count = int(argument is not None)
    if api.TVMFFIFunctionCall(function, byref(argument or Value()), count, byref(result)):
        forget_error()


def release(thing: c_void_p) -> None:
    api.TVMFFIObjectDecRef(thing)


def forget_error() -> None:
    error = c_void_p()
    api.TVMFFIErrorMoveFromRaised(byref(error))
    if error:
        release(error)


def fail(code: int = -1) -> int:
    api.TVMFFIErrorSetRaisedFromCStr(b"ValueError", b"as planned")
    return code


def anything(_self: object, _args: object, _count: int, _result: object) -> int:
    return 0


def new_object(count: int, kind: int = OBJECT, deleter: int = 0) -> Object:
    made = Object(count, kind, 0, deleter)
    kept.append(made)
    return made


nothing = DELETER(lambda _self, _flags: None)
living = new_object(ONE_WEAK + 1, deleter=keep(nothing))
dead = new_object(ONE_WEAK)

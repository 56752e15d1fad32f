# SPDX-License-Identifier: Apache-2.0
"""Mistakes of trace_bugs.def in the life of objects, for trace_bugs.py."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import addressof, byref, c_void_p

from trace_abi import (
    CODE,
    DELETER,
    INT,
    OBJECT,
    ONE_WEAK,
    OPAQUE,
    RELEASE,
    Object,
    Value,
    anything,
    api,
    forget_error,
    keep,
    living,
    make,
    new_object,
    planted,
    release,
)


@planted
def object_retained_dead(wrong: bool) -> None:
    api.TVMFFIObjectIncRef(byref(new_object(2 * ONE_WEAK + (not wrong))))


@planted
def object_released_dead(wrong: bool) -> None:
    api.TVMFFIObjectDecRef(byref(new_object(2 * ONE_WEAK + 2 * (not wrong))))


@planted
def conversion_output_holds_object(wrong: bool) -> None:
    out = Value(OBJECT, 0, addressof(living)) if wrong else Value()
    api.TVMFFIAnyViewToOwnedAny(byref(Value(INT)), byref(out))


def followed(deleter: Callable[[int, int], None] | None = None) -> tuple[Object, DELETER]:
    """An object that the layer has seen, and its deleter, both as they are then."""
    made = new_object(
        2 * ONE_WEAK + 1, deleter=keep(DELETER(deleter or (lambda _self, _flags: None)))
    )
    api.TVMFFIObjectIncRef(byref(made))
    made.count = 2 * ONE_WEAK
    return made, DELETER(made.deleter)


@planted
def object_deleter_twice(wrong: bool) -> None:
    made, delete = followed()
    for _ in range(1 + wrong):
        delete(addressof(made), 1)
    made.count = 0
    delete(addressof(made), 2)


@planted
def object_deleter_flags(wrong: bool) -> None:
    made, delete = followed()
    if not wrong:
        delete(addressof(made), 1)
    delete(addressof(made), 2)


@planted
def object_deleter_header(wrong: bool) -> None:
    def overwrite(address: int, flags: int) -> None:
        if wrong and flags == 1:
            Object.from_address(address).count = 5

    made, delete = followed(overwrite)
    delete(addressof(made), 1)
    made.count = 0
    delete(addressof(made), 2)


@planted
def object_deleter_early(wrong: bool) -> None:
    made, delete = followed()
    made.count += wrong
    delete(addressof(made), 3)


@planted
def object_count_overflow(wrong: bool) -> None:
    api.TVMFFIObjectIncRef(byref(new_object(ONE_WEAK + 0xFFFFFFFF - (not wrong))))


@planted
def object_opaque_index(wrong: bool) -> None:
    made, free = c_void_p(), RELEASE(lambda _handle: None)
    if api.TVMFFIObjectCreateOpaque(None, OBJECT if wrong else OPAQUE, free, byref(made)) == 0:
        release(made)
    else:
        forget_error()


# --- What the preset deep finds ------------------------------------------------------------------


def destroyed() -> Object | None:
    """A function that was destroyed, or None where its memory is not kept, as without the layer."""
    function = make(anything)
    release(function)
    header = Object.from_address(function.value)
    return header if header.count == ONE_WEAK else None


@planted
def object_called_dead(wrong: bool) -> None:
    header, out = destroyed(), Value()
    if wrong and header:
        entry = CODE(c_void_p.from_address(addressof(header) + ctypes.sizeof(Object)).value)
        if entry(addressof(header), None, 0, byref(out)):
            forget_error()


@planted
def object_counted_dead(wrong: bool) -> None:
    header = destroyed()
    if wrong and header:
        header.count += 1


@planted
def object_written_dead(wrong: bool) -> None:
    header = destroyed()
    if wrong and header:
        header.type = OBJECT

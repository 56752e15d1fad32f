#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which global functions and types a runtime has registered when it has just been loaded.

release_names.py LIBRARY prints them as JSON. Reading them means running the library: read() does so
in a process of its own, with a time limit, and every question that some releases answer by ending
the process is asked in a fork.
"""

from __future__ import annotations

import ctypes
import itertools
import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

INT, SMALL_STRING, STRING = 1, 11, 65
FIRST_DYNAMIC_INDEX = 128
# Values and objects with an index of their own, among which old releases have gaps; asking for what
# is not there takes half a second, for its backtrace.
KNOWN_INDICES = (*range(16), *range(64, 82))
LIST_FUNCTION = b"ffi.FunctionListGlobalNamesFunctor"
SECONDS = 60


class NamesError(Exception):
    """The library could not be asked. The text says which one, and what came of it."""


@dataclass(frozen=True)
class ReleaseNames:
    """`types` maps a key to its index; of one that is given out as it comes, None."""

    functions: list[str]
    types: dict[str, int | None]


class Any(ctypes.Structure):
    _fields_ = [
        ("type_index", ctypes.c_int32),
        ("small_size", ctypes.c_int32),
        ("payload", ctypes.c_int64),
    ]


class ByteArray(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]

    def text(self) -> str:
        return ctypes.string_at(self.data, self.size).decode()


class StringObject(ctypes.Structure):
    _fields_ = [("header", ctypes.c_byte * 24), ("text", ByteArray)]


class TypeInfo(ctypes.Structure):
    _fields_ = [("type_index", ctypes.c_int32), ("depth", ctypes.c_int32), ("key", ByteArray)]


def text_of(value: Any) -> str:
    if value.type_index == SMALL_STRING:
        return ctypes.string_at(ctypes.addressof(value) + 8, value.small_size).decode()
    if value.type_index != STRING:
        raise NamesError(f"a name is of type {value.type_index}, no string")
    return StringObject.from_address(value.payload).text.text()


def call(library: ctypes.CDLL, function: ctypes.c_void_p, *args: Any) -> Any:
    result = Any()
    status = library.TVMFFIFunctionCall(
        function, (Any * max(len(args), 1))(*args), len(args), ctypes.byref(result)
    )
    if status != 0:
        raise NamesError(f"a call returned {status}")
    return result


def function_names(library: ctypes.CDLL) -> list[str]:
    name = ByteArray(
        ctypes.cast(ctypes.c_char_p(LIST_FUNCTION), ctypes.c_void_p), len(LIST_FUNCTION)
    )
    functor = ctypes.c_void_p()
    library.TVMFFIFunctionGetGlobal(ctypes.byref(name), ctypes.byref(functor))
    if not functor:
        raise NamesError(f"no function {LIST_FUNCTION.decode()}")
    lister = ctypes.c_void_p(call(library, functor).payload)
    count = call(library, lister, Any(INT, 0, -1)).payload
    return sorted(text_of(call(library, lister, Any(INT, 0, i))) for i in range(count))


def type_key(library: ctypes.CDLL, index: int) -> str | None:
    """The key of the type, None if there is none, for which releases end the process."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        info = library.TVMFFIGetTypeInfo(index)
        if info and info.contents.type_index == index:
            os.write(writer, info.contents.key.text().encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        key = pipe.read().decode()
    os.waitpid(child, 0)
    return key or None


def type_keys(library: ctypes.CDLL) -> dict[str, int | None]:
    library.TVMFFIGetTypeInfo.restype = ctypes.POINTER(TypeInfo)
    found: dict[str, int | None] = {}
    for index in KNOWN_INDICES:
        key = type_key(library, index)
        if key is not None:
            found[key] = index
    for index in itertools.count(FIRST_DYNAMIC_INDEX):
        key = type_key(library, index)
        if key is None:
            return found
        found[key] = None
    return found


def read(library: Path) -> ReleaseNames:
    """NamesError if the library cannot be asked."""
    try:
        done = subprocess.run(
            [sys.executable, __file__, str(library)],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise NamesError(f"{library} did not answer within {SECONDS} s") from error
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit status {done.returncode}"]
        raise NamesError(f"asking {library} for its names failed: {last[0]}")
    answer = json.loads(done.stdout)
    return ReleaseNames(answer["functions"], answer["types"])


def main() -> None:
    library = ctypes.CDLL(str(Path(sys.argv[1]).resolve()))
    names = ReleaseNames(function_names(library), type_keys(library))
    print(json.dumps(asdict(names)))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seeds of the fuzzer of inspect into a folder: make_inspect.py FOLDER."""

from __future__ import annotations

import io
import struct
import sys
import zipfile
from pathlib import Path

import found
import make_binaries
from tiny_elf import (
    AARCH64,
    ARM,
    I386,
    OBJECT,
    PPC,
    S390X,
    WEAK,
    X86_64,
    Library,
    Machine,
    Symbol,
)

MACHINES = {
    "x86_64": X86_64,
    "aarch64": AARCH64,
    "i386": I386,
    "arm": ARM,
    "s390x": S390X,
    "ppc": PPC,
}
ANY_TIME = (2025, 10, 18, 0, 0, 0)


def numbers(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}Q", *values)


def text(value: bytes) -> bytes:
    return numbers(len(value)) + value


def blob(body: bytes) -> bytes:
    return numbers(len(body)) + body


def import_tree() -> bytes:
    """A library that imports a module of another kind, and that one a third."""
    edges = numbers(4, 0, 1, 2, 2) + numbers(2, 1, 2)
    return blob(edges + text(b"_lib") + text(b"cuda") + text(b"PTX") + text(b"c") + text(b""))


def module(machine: Machine, library_bin: bytes) -> Library:
    return Library(
        machine,
        [
            Symbol("__tvm_ffi_add_one", data=b"\xc3"),
            Symbol("__tvm_ffi__metadata_add_one", data=b"\xc3"),
            Symbol("__tvm_ffi__library_ctx", OBJECT, bytes(machine.word)),
            Symbol("__tvm_ffi__library_bin", OBJECT, library_bin),
            Symbol("__TVMFFIFunctionCall", OBJECT, bytes(machine.word)),
            Symbol("TVMFFIErrorSetRaisedFromCStr"),
            Symbol("TVMFFIBigIntFromByteArray"),
            Symbol("_ZN3tvm3ffi5ErrorC1Ev"),
            Symbol("memcpy", version="GLIBC_2.14"),
            Symbol("__gmon_start__", binding=WEAK),
        ],
        soname="libmodule.so",
        runpath="$ORIGIN/../lib",
        needed=["libc.so.6", "libtvm_ffi.so"],
    )


def runtime(machine: Machine) -> Library:
    names = ("TVMFFIGetVersion", "TVMFFIObjectIncRef", "TVMFFIObjectDecRef", "TVMFFIHandleInitOnce")
    return Library(
        machine,
        [*(Symbol(name, data=b"\xc3") for name in names), Symbol("abort", version="GLIBC_2.2.5")],
        soname="libtvm_ffi.so",
        executable_stack=True,
    )


def zip_file(members: dict[str, bytes], method: int) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name, ANY_TIME), content, method)
    return made.getvalue()


def static_archive(members: dict[str, bytes]) -> bytes:
    made = b"!<arch>\n"
    for name, content in members.items():
        made += f"{name + '/':<16}{0:<12}{0:<6}{0:<6}{'644':<8}{len(content):<10}`\n".encode()
        made += content + b"\n" * (len(content) % 2)
    return made


def seeds() -> dict[str, bytes]:
    made = {
        f"module-{name}.so": module(one, import_tree()).build() for name, one in MACHINES.items()
    }
    made |= {f"runtime-{name}.so": runtime(one).build() for name, one in MACHINES.items()}
    broken = {
        "short": import_tree()[:-9],
        "cycle": blob(
            numbers(3, 0, 1, 2) + numbers(2, 1, 0) + text(b"_lib") + text(b"c") + text(b"x")
        ),
        "falling": blob(
            numbers(3, 0, 2, 1) + numbers(1, 1) + text(b"_lib") + text(b"c") + text(b"x")
        ),
        "gigantic": numbers(1 << 40, 1 << 61),
    }
    for name, one in broken.items():
        made[f"module-{name}.so"] = module(X86_64, one).build()
    library, other = made["module-x86_64.so"], made["runtime-s390x.so"]
    wheel = {
        "x/lib.so": library,
        "x/__init__.py": b"",
        "x-1.dist-info/WHEEL": b"Tag: py3-none-any\n",
    }
    made["stored.whl"] = zip_file(wheel, zipfile.ZIP_STORED)
    made["deflated.whl"] = zip_file(wheel, zipfile.ZIP_DEFLATED)
    made["nested.zip"] = zip_file(
        {"a.whl": made["deflated.whl"], "b.so": other}, zipfile.ZIP_STORED
    )
    made["static.a"] = static_archive({"one.o": library, "two.o": other})
    made |= make_binaries.modules() | make_binaries.libraries()
    made["foreign.whl"] = zip_file(
        {"a.dylib": made["universal.dylib"], "b.dll": made["module.dll"]}, zipfile.ZIP_STORED
    )
    made["empty.zip"] = zip_file({}, zipfile.ZIP_STORED)
    return made


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in seeds().items():
        (folder / name).write_bytes(content)
    found.write(folder, "inspect")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

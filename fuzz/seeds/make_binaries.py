# SPDX-License-Identifier: Apache-2.0
"""Writes the seeds of the fuzzers of Mach-O and PE files: make_binaries.py FOLDER NAME."""

from __future__ import annotations

import sys
from pathlib import Path

import found
import tiny_macho
import tiny_pe
from tiny_macho import Macho
from tiny_pe import Pe

BLOB = (16).to_bytes(8, "little") + bytes(16)
# Each opcode of binding: a symbol of a library, then what is done with it.
CODES = (
    bytes([0x20, 1])
    + b"\x40_one\0"
    + bytes([0x51, 0x60, 0xFF, 0x7F, 0x72, 0x10, 0x80, 8, 0x90])
    + bytes([0x3E, 0xA0, 8, 0xB1, 0xC0, 2, 8, 0xD0, 1, 0xD1, 0x30, 0x90, 0])
)
LIBRARY_KINDS = (tiny_macho.LOAD, tiny_macho.REEXPORT, 0x20, 0x80000023)
MINIMUM_KINDS = (0x24, 0x25, 0x2F, 0x30)
CXX = "?what@Error@ffi@tvm@@UEBAPEBDXZ"


def modules() -> dict[str, bytes]:
    """Modules with all that a Mach-O file can have."""
    exports = [
        tiny_macho.Export("__tvm_ffi_add"),
        tiny_macho.Export("__tvm_ffi__metadata_add"),
        tiny_macho.Export("__tvm_ffi__library_bin", "const", BLOB),
        tiny_macho.Export("__tvm_ffi__library_ctx", "data", bytes(8)),
        tiny_macho.Export("zeroed", "bss"),
        tiny_macho.Export("weak", flags=tiny_macho.WEAK_DEFINITION),
        tiny_macho.Export("elsewhere", flags=tiny_macho.REEXPORTED, ordinal=2),
    ]
    usual = {
        "exports": exports,
        "imports": [
            tiny_macho.Import("TVMFFIFunctionCall"),
            tiny_macho.Import("strlen", 2, weak=True),
            tiny_macho.Import("TVMFFIErrorCreate", tiny_macho.FLAT),
            tiny_macho.Import("weak", tiny_macho.WEAK_LOOKUP),
        ],
        "hidden": [tiny_macho.Export("_ZN3tvm3ffi7detailsE")],
        "libraries": [
            (tiny_macho.LOAD, "@rpath/libtvm_ffi.dylib"),
            (tiny_macho.WEAK_LIBRARY, "/usr/lib/libSystem.B.dylib"),
        ],
        "rpaths": ["@loader_path", "/opt/lib"],
        "name": "@rpath/libmodule.dylib",
    }

    def made(**changes: object) -> bytes:
        return Macho(**{**usual, **changes}).write()  # type: ignore[arg-type]

    arm = {"cpu": tiny_macho.ARM64, "subtype": 0}
    files = {
        "opcodes.dylib": made(),
        "chained.dylib": made(binding="chained", **arm),
        "chained-addend.dylib": made(binding="chained", chained_format=2, **arm),
        "chained-wide.dylib": made(binding="chained", chained_format=3, **arm),
        "symbols.dylib": made(binding="symbols", flags=0),
        "i386.dylib": made(cpu=tiny_macho.I386, wide=False),
        "ppc.dylib": made(cpu=tiny_macho.PPC, wide=False, order=">", platform=None, signature=b""),
        "object.o": made(type=tiny_macho.OBJECT, binding="symbols"),
        "program": made(type=tiny_macho.EXECUTE, text_protection=7),
        "debug.dwarf": made(type=tiny_macho.DSYM),
        "loop.dylib": made(trie=b"\0\1a\0\0"),
        "twice.dylib": made(trie=b"\0\2a\0\7b\0\7\2\0\1\0"),
        "all-codes.dylib": made(codes=CODES),
        "all-commands.dylib": made(
            libraries=[(kind, "/usr/lib/libz.dylib") for kind in LIBRARY_KINDS],
            extra=[(kind, bytes([0, 9, 10, 0, 0, 0, 11, 0])) for kind in MINIMUM_KINDS],
            platform=None,
        ),
        "runtime.dylib": made(exports=[tiny_macho.Export("TVMFFIObjectIncRef")], imports=[]),
    }
    two = [
        (tiny_macho.X86_64, 3, files["opcodes.dylib"]),
        (tiny_macho.ARM64, 0, files["chained.dylib"]),
    ]
    files["universal.dylib"] = tiny_macho.universal(two)
    files["universal-wide.dylib"] = tiny_macho.universal(two, wide=True)
    return files


def libraries() -> dict[str, bytes]:
    """The same as PE files."""
    exports = [
        tiny_pe.Export("__tvm_ffi_add"),
        tiny_pe.Export("__tvm_ffi__metadata_add"),
        tiny_pe.Export("__tvm_ffi__library_bin", "rdata", BLOB),
        tiny_pe.Export("__tvm_ffi__library_ctx", "data", bytes(8)),
        tiny_pe.Export("elsewhere", forwarder="other.Function"),
        tiny_pe.Export(""),
    ]
    usual = {
        "exports": exports,
        "imports": [
            ("tvm_ffi.dll", ["TVMFFIFunctionCall", CXX, 7]),
            ("VCRUNTIME140D.dll", ["memcpy"]),
        ],
        "delayed": [("delayed.dll", ["late", 3])],
        "extra": b'{"type_schema":"{}"}\0',
    }

    def made(**changes: object) -> bytes:
        return Pe(**{**usual, **changes}).write()  # type: ignore[arg-type]

    return {
        "module.dll": made(),
        "arm64.dll": made(machine=tiny_pe.ARM64),
        "i386.dll": made(machine=tiny_pe.I386, wide=False),
        "unsorted.dll": made(sorted=False, base=100),
        "fixed.dll": made(flags=tiny_pe.DLL | tiny_pe.RELOCATIONS_STRIPPED, dll_flags=0),
        "program.exe": made(flags=2, exports=[], delayed=[]),
        "runtime.dll": made(exports=[tiny_pe.Export("TVMFFIObjectIncRef")], imports=[]),
    }


def main(folder: Path, name: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for file, content in (modules() if name == "macho" else libraries()).items():
        (folder / file).write_bytes(content)
    found.write(folder, name)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])

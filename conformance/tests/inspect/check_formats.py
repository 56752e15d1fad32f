# SPDX-License-Identifier: Apache-2.0
"""What `inspect` reads from Mach-O and PE files that are made here, sound and hostile ones."""

from __future__ import annotations

import argparse
import json
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import make_binaries
import tiny_macho
import tiny_pe
from tiny_macho import Macho
from tiny_pe import Pe

ADD = [tiny_macho.Export("__tvm_ffi_add")]
CALL = [tiny_macho.Import("TVMFFIFunctionCall")]
LIBRARY = [(tiny_macho.LOAD, "@rpath/libtvm_ffi.dylib")]


def macho(**changes: Any) -> bytes:
    usual: dict[str, Any] = {"exports": ADD, "imports": CALL, "libraries": LIBRARY}
    return Macho(**{**usual, **changes}).write()


def patched(data: bytes, at: int, value: bytes) -> bytes:
    return data[:at] + value + data[at + len(value) :]


def crowded() -> bytes:
    """More symbols than are stored; each is the same, at the file's end."""
    count = (1 << 19) + 10
    file = macho(binding="symbols", extra=[(2, bytes(16))])
    names, symbol = b"\0_f\0", struct.pack("<IBBHQ", 1, 0x0F, 1, 0, 0x4600)
    command = struct.pack("<IIII", len(file), count, len(file) + 16 * count, len(names))
    begin = struct.pack("<II", 2, 24)
    return file.replace(begin + bytes(16), begin + command) + symbol * count + names


def long_chain(length: int) -> bytes:
    """A trie in which each node has one child, so that names grow by a letter a node."""
    step = 7  # nothing is exported; one child: a letter, a NUL, and its place in three bytes
    nodes = b""
    for i in range(1, length + 1):
        at = step * i
        nodes += b"\0\1a\0" + bytes([at & 0x7F | 0x80, at >> 7 & 0x7F | 0x80, at >> 14])
    return nodes + b"\2\0\0\0"


def branches(count: int) -> bytes:
    """A trie whose root has children that are all one node, as no linker writes it."""
    at = 2 + 3 * count
    return bytes([0, count]) + b"".join(bytes([65 + i, 0, at]) for i in range(count)) + b"\2\0\0\0"


SOUND = macho()
LIBRARIES = make_binaries.libraries()

# What cannot be read, and words of the reason.
REFUSED: dict[str, tuple[bytes, str]] = {
    "header-cut": (SOUND[:20], "its header"),
    "commands-cut": (SOUND[:200], "its load commands"),
    "too-many-commands": (patched(SOUND, 16, b"\xff\xff\xff\xff"), "too many commands"),
    "commands-end": (patched(SOUND, 16, b"\xff\0\0\0"), "end before the last one"),
    "command-of-nothing": (patched(SOUND, 36, bytes(4)), "not within the others"),
    "segment-cut": (SOUND[:-8], "end behind the file's"),
    "trie-loop": (macho(trie=b"\0\1a\0\0"), "a loop leads to a node at byte 0"),
    "trie-shared": (macho(trie=branches(9)), "a loop leads to a node"),
    "trie-outside": (macho(trie=b"\0\1a\0\x7f"), "a child lies outside"),
    "trie-cut": (macho(trie=b"\0\1abc"), "the letters of a child are cut off"),
    "trie-node-cut": (macho(trie=b"\x09\1"), "a node is cut off"),
    "trie-number": (macho(trie=b"\0\1a\0" + b"\xff" * 12), "a child is cut off"),
    "fixups-count": (
        macho(binding="chained", imports=[*CALL] * 3).replace(
            b"\3\0\0\0\1\0\0\0\0\0\0\0", b"\xff\xff\xff\x7f\1\0\0\0\0\0\0\0"
        ),
        "do not lie within these",
    ),
    "library-name": (
        macho().replace(b"\x18\0\0\0\2\0\0\0\0\0\1\0", b"\xff\0\0\0\2\0\0\0\0\0\1\0"),
        "the name of a library that it needs",
    ),
    "debug-information": (macho(type=tiny_macho.DSYM), "debug information without code"),
    "slice-outside": (
        patched(tiny_macho.universal([(tiny_macho.X86_64, 3, SOUND)]), 16, b"\x7f\xff\xff\xff"),
        "the bytes of an architecture",
    ),
    "slice-of-text": (tiny_macho.universal([(7, 3, b"text")]), "is not a Mach-O file"),
    "dos": (b"MZ" + bytes(100), "a program for DOS"),
    "sections-cut": (LIBRARIES["module.dll"][:0x180], "the headers of its sections"),
    "section-outside": (LIBRARIES["module.dll"][:0x700], "the bytes of a section"),
    "no-optional": (patched(LIBRARIES["module.dll"], 0x58, b"\0\0"), "optional header"),
    "exports-outside": (
        patched(LIBRARIES["module.dll"], 0xC8, b"\0\0\0\x70"),
        "its directory of exports is not in the file",
    ),
    "imports-outside": (
        patched(LIBRARIES["module.dll"], 0xD0, b"\0\0\0\x70"),
        "its directory of imports is not in the file",
    ),
    "library-for-linker": (
        b"!<arch>\n"
        + b"".join(
            f"{'/':<16}{0:<12}{'':<6}{'':<6}{0:<8}{4:<10}`\n".encode() + bytes(4) for _ in range(2)
        ),
        "a library for the linker of Windows",
    ),
}

# What can be read, and what of it is expected: a path into the report, and the value.
READ: dict[str, tuple[bytes, dict[str, Any]]] = {
    **{
        f"{binding}.dylib": (
            macho(binding=binding, rpaths=["@loader_path"], name="@rpath/libm.dylib"),
            {
                "format": "Mach-O",
                "machine": "x86-64",
                "profile": "module",
                "functions": [{"name": "add", "metadata": False, "doc": False}],
                "api.floor": "0.1.0",
                "api.libtvm_ffi_needed": True,
                "soname": "@rpath/libm.dylib",
                "needed": ["@rpath/libtvm_ffi.dylib"],
                "imports": [
                    {
                        "name": "TVMFFIFunctionCall",
                        "weak": False,
                        "version": None,
                        "library": "@rpath/libtvm_ffi.dylib",
                    }
                ],
                "macho.binding": binding,
                "macho.platform": "macOS",
                "macho.minimum_system": "11.0",
                "macho.rpaths": ["@loader_path"],
                "macho.signed": True,
                "macho.version": "1.0",
                "build_id": bytes(range(16)).hex(),
                "pe": None,
            },
        )
        for binding in ("opcodes", "chained", "symbols")
    },
    "chained-negative.dylib": (
        macho(
            binding="chained",
            chained_format=3,
            imports=[tiny_macho.Import("TVMFFIFunctionCall", tiny_macho.FLAT, weak=True)],
        ),
        {"imports.0.library": None, "imports.0.weak": True, "findings.1.id": "macho.flat-lookup"},
    ),
    "weak-lookup.dylib": (
        macho(
            binding="chained",
            exports=[*ADD, tiny_macho.Export("shared", flags=tiny_macho.WEAK_DEFINITION)],
            imports=[*CALL, tiny_macho.Import("shared", tiny_macho.WEAK_LOOKUP)],
        ),
        {"import_count": 1, "export_count": 2},
    ),
    "big.dylib": (
        macho(cpu=tiny_macho.PPC, wide=False, order=">"),
        {"machine": "ppc", "bits": 32, "byte_order": "big", "export_count": 1},
    ),
    "reexport.dylib": (
        macho(exports=[tiny_macho.Export("TVMFFIObjectIncRef", flags=8, ordinal=1)]),
        {"profile": "runtime", "macho.libraries.0.kind": "load"},
    ),
    "deep.dylib": (macho(trie=long_chain(4000)), {"export_count": 1, "profile": "user of the API"}),
    "crowded.dylib": (crowded(), {"export_count": 1 << 19, "profile": "none"}),
    "blob.dylib": (
        macho(exports=[*ADD, tiny_macho.Export("__tvm_ffi__library_bin", "const", bytes(8))]),
        {"library_bin.state": "broken", "library_bin.nbytes": 0},
    ),
    "module.dll": (
        LIBRARIES["module.dll"],
        {
            "format": "PE",
            "machine": "x86-64",
            "soname": "made.dll",
            "needed": ["tvm_ffi.dll", "VCRUNTIME140D.dll", "delayed.dll"],
            "api.needs.0.name": "TVMFFIFunctionCall",
            "import_count": 4,
            "export_count": 5,
            "pe.exports_by_number": 1,
            "pe.forwarders": 1,
            "pe.imports_by_number": 2,
            "pe.delayed": ["delayed.dll"],
            "pe.c_library.debug": "VCRUNTIME140D.dll",
            "pe.minimum_system": "6.0",
            "metadata_texts": ['{"type_schema":"{}"}'],
            "build_id": bytes(range(16)).hex(),
            "macho": None,
        },
    ),
    "arm64.dll": (LIBRARIES["arm64.dll"], {"machine": "aarch64", "bits": 64}),
    "i386.dll": (LIBRARIES["i386.dll"], {"machine": "i386", "bits": 32, "import_count": 4}),
    "mingw.dll": (
        Pe(
            exports=[tiny_pe.Export("__tvm_ffi_add")],
            imports=[("TVM_FFI.dll", ["TVMFFIFunctionCall"]), ("msvcrt.dll", ["memcpy"])],
        ).write(),
        {"api.libtvm_ffi_needed": True, "pe.c_library.old": "msvcrt.dll"},
    ),
}

# Each of the files in a universal one stands for itself.
UNIVERSAL = {
    name: tiny_macho.universal([(tiny_macho.X86_64, 3, SOUND), (tiny_macho.ARM64, 0, SOUND)], wide)
    for name, wide in (("universal.dylib", False), ("universal-wide.dylib", True))
}


def value(report: Any, path: str) -> Any:
    for part in path.split("."):
        report = report[int(part)] if part.isdigit() else report[part]
    return report


def check_read(name: str, report: dict[str, Any]) -> list[str]:
    return [
        f"{name}: {path} is {value(report, path)!r}, not {wanted!r}"
        for path, wanted in READ[name][1].items()
        if value(report, path) != wanted
    ]


def check(report: dict[str, Any]) -> list[str]:
    read = {one["name"]: one for one in report["files"]}
    refused = {Path(one["path"].partition("!")[0]).name: one for one in report["unreadable"]}
    mistakes = [f"{name}: not read: {refused.get(name)}" for name in READ if name not in read]
    for name in READ:
        mistakes += check_read(name, read[name]) if name in read else []
    for name, (_, words) in REFUSED.items():
        if name not in refused:
            mistakes.append(f"{name}: read")
        elif words not in refused[name]["message"]:
            mistakes.append(f"{name}: {refused[name]['message']}")
    parts = sorted(one["path"].rpartition("/")[2] for one in report["files"] if "!" in one["path"])
    wanted = sorted(f"{name}!{cpu}" for name in UNIVERSAL for cpu in ("arm64", "x86-64"))
    return mistakes + ([] if parts == wanted else [f"parts of universal files: {parts}"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = {name: data for name, (data, _) in (READ | REFUSED).items()} | UNIVERSAL
        for name, data in files.items():
            (Path(folder) / name).write_bytes(data)
        command = [
            options.tool,
            "inspect",
            "--report",
            "json:-",
            *(f"{folder}/{one}" for one in files),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        mistakes = check(json.loads(done.stdout))
    if done.returncode != 3:
        mistakes.append(f"exit code {done.returncode}")
    print(*mistakes, f"{len(files)} files, {len(mistakes)} mistakes", sep="\n")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""The findings about Mach-O and PE files: for each a file that has it, and a near miss."""

from __future__ import annotations

from dataclasses import replace

import tiny_macho
import tiny_pe
from findings_table import Build, Row
from tiny_macho import Macho

RUNTIME, SYSTEM = (
    (tiny_macho.LOAD, "@rpath/libtvm_ffi.dylib"),
    (tiny_macho.LOAD, "/usr/lib/libSystem.B.dylib"),
)
HOMEBREW = (tiny_macho.LOAD, "/opt/homebrew/lib/libomp.dylib")
CALL, FLAT = "TVMFFIFunctionCall", tiny_macho.FLAT
ERROR_MEMBER = "?what@Error@ffi@tvm@@UEBAPEBDXZ"


def macho(**changes: object) -> Build:
    """A module that is right, with changes."""
    usual: dict[str, object] = {
        "exports": [tiny_macho.Export("__tvm_ffi_add")],
        "imports": [tiny_macho.Import(CALL)],
        "libraries": [RUNTIME, SYSTEM],
        "rpaths": ["@loader_path"],
        "cpu": tiny_macho.ARM64,
        "subtype": 0,
    }
    return Build(str(changes), made=Macho(**{**usual, **changes}).write())  # type: ignore[arg-type]


def bundled(*names: str) -> Build:
    """A module in a wheel that has a runtime with these functions, too."""
    runtime = Macho(
        [tiny_macho.Export(one) for one in names], name=RUNTIME[1], cpu=tiny_macho.ARM64
    )
    wheel = "m-1-py3-none-macosx_11_0_arm64.whl"
    return replace(macho(), wheel=wheel, beside=("m/libtvm_ffi.dylib", runtime.write()))


def pe(**changes: object) -> Build:
    usual: dict[str, object] = {
        "exports": [tiny_pe.Export("__tvm_ffi_add"), tiny_pe.Export("other")],
        "imports": [("tvm_ffi.dll", [CALL]), ("VCRUNTIME140.dll", ["memcpy"]), CRT],
    }
    return Build(str(changes), made=tiny_pe.Pe(**{**usual, **changes}).write())  # type: ignore[arg-type]


def needs(*libraries: str) -> Build:
    """A DLL that needs the runtime and these."""
    return pe(imports=[("tvm_ffi.dll", [CALL]), *((one, ["memcpy"]) for one in libraries)])


CRT = ("api-ms-win-crt-heap-l1-1-0.dll", ["malloc"])
API = [tiny_macho.Export("TVMFFIObjectIncRef")]

MACHO = [
    Row(
        "macho.fixed-library",
        macho(libraries=[RUNTIME, HOMEBREW]),
        macho(),
        HOMEBREW[1],
    ),
    Row("macho.no-rpath", macho(rpaths=[]), macho(), RUNTIME[1]),
    Row(
        "macho.install-name",
        macho(exports=API, name="/Users/me/build/libtvm_ffi.dylib"),
        macho(exports=API, name="@rpath/libtvm_ffi.dylib"),
    ),
    Row(
        "macho.install-name",
        macho(exports=API),
        macho(name="/Users/me/build/libmodule.dylib"),
    ),
    Row(
        "linking.sibling-lacks",
        bundled("TVMFFIObjectIncRef"),
        bundled(CALL),
        CALL,
    ),
    Row("macho.flat-lookup", macho(imports=[tiny_macho.Import(CALL, FLAT)]), macho()),
    Row("macho.flat-lookup", macho(flags=0, binding="symbols"), macho(binding="symbols")),
    Row(
        "macho.unknown-library",
        macho(imports=[tiny_macho.Import(CALL, 3)]),
        macho(imports=[tiny_macho.Import(CALL, 2)]),
        f"_{CALL}",
    ),
    Row(
        "macho.above-tag",
        replace(macho(platform=(1, 0x000C0000)), wheel="m-1-py3-none-macosx_11_0_arm64.whl"),
        replace(macho(), wheel="m-1-py3-none-macosx_10_9_universal2.whl"),
    ),
    Row(
        "macho.unsigned",
        macho(signature=b""),
        macho(signature=b"", cpu=tiny_macho.X86_64),
    ),
    Row("macho.writable-code", macho(text_protection=7), macho()),
    Row(
        "macho.executable",
        macho(type=tiny_macho.EXECUTE),
        macho(type=tiny_macho.BUNDLE),
    ),
    # Rules for all formats
    Row(
        "linking.fixed-rpath",
        macho(rpaths=["/Users/me/lib"]),
        macho(rpaths=["@loader_path/lib"]),
    ),
    Row(
        "symbols.hidden",
        macho(hidden=[tiny_macho.Export("__tvm_ffi_mul")]),
        macho(hidden=[tiny_macho.Export("mul")]),
        "__tvm_ffi_mul",
    ),
    Row(
        "library-ctx.not-writable",
        macho(exports=[tiny_macho.Export("__tvm_ffi__library_ctx", "const", bytes(8))]),
        macho(exports=[tiny_macho.Export("__tvm_ffi__library_ctx", "data", bytes(8))]),
    ),
    Row(
        "library-bin.no-bytes",
        macho(exports=[tiny_macho.Export("__tvm_ffi__library_bin", "bss", bytes(8))]),
        macho(exports=[tiny_macho.Export("__tvm_ffi__library_bin", "const", bytes(8))]),
    ),
    Row(
        "symbols.unknown-api",
        macho(imports=[tiny_macho.Import("TVMFFIFrobnicate")]),
        macho(imports=[tiny_macho.Import("TVMFFIFrobnicate", 2)]),
        "TVMFFIFrobnicate",
    ),
    Row(
        "symbols.mangled-tvm-ffi",
        macho(imports=[tiny_macho.Import("_ZN3tvm3ffi3fooEv")]),
        macho(imports=[tiny_macho.Import("_ZN3tvm3ffi3fooEv", 2)]),
    ),
    Row(
        "symbols.data-as-function",
        macho(exports=[tiny_macho.Export("__tvm_ffi_add", "data")]),
        macho(),
        "__tvm_ffi_add",
    ),
]

PE = [
    Row(
        "pe.error-class",
        pe(imports=[("tvm_ffi.dll", [CALL, ERROR_MEMBER])]),
        pe(imports=[("tvm_ffi.dll", [CALL]), ("other.dll", [ERROR_MEMBER])]),
        ERROR_MEMBER,
    ),
    Row(
        "symbols.mangled-tvm-ffi",
        pe(imports=[("tvm_ffi.dll", ["?Parse@json@ffi@tvm@@YAXXZ"])]),
        pe(imports=[("tvm_ffi.dll", [ERROR_MEMBER])]),
    ),
    Row(
        "pe.import-by-ordinal",
        pe(imports=[("tvm_ffi.dll", [CALL, 7])]),
        pe(imports=[("tvm_ffi.dll", [CALL]), ("WS2_32.dll", [7])]),
        "tvm_ffi.dll",
    ),
    Row(
        "pe.delayed-runtime",
        pe(delayed=[("TVM_FFI.dll", [CALL])]),
        pe(delayed=[("x.dll", ["f"])]),
    ),
    Row(
        "pe.debug-crt",
        needs("VCRUNTIME140D.dll"),
        needs("VCRUNTIME140.dll"),
        "VCRUNTIME140D.dll",
    ),
    Row("pe.debug-crt", needs("msvcp140d.dll"), needs("msvcp140_codecvt_ids.dll")),
    Row("pe.debug-crt", needs("ucrtbased.dll"), needs("ucrtbase.dll")),
    Row("pe.two-crts", needs(CRT[0], "msvcrt.dll"), needs("msvcrt.dll"), "msvcrt.dll"),
    Row(
        "pe.exports-not-sorted",
        pe(sorted=False, exports=[tiny_pe.Export("b"), tiny_pe.Export("a")]),
        pe(),
    ),
    Row("pe.fixed-address", pe(dll_flags=0x0100), pe()),
    Row(
        "pe.fixed-address",
        pe(flags=tiny_pe.DLL | tiny_pe.RELOCATIONS_STRIPPED),
        pe(sorted=False),
    ),
    Row("pe.no-nx", pe(dll_flags=0x0040), pe()),
    Row("pe.writable-code", pe(text_flags=0xE0000020), pe()),
    Row(
        "wheel.other-machine",
        replace(pe(), wheel="m-1-py3-none-win_arm64.whl"),
        replace(pe(), wheel="m-1-py3-none-win_amd64.whl"),
    ),
    Row("pe.executable", pe(flags=2), pe()),
    # Rules for all formats
    Row(
        "library-ctx.not-writable",
        pe(exports=[tiny_pe.Export("__tvm_ffi__library_ctx", "rdata", bytes(8))]),
        pe(exports=[tiny_pe.Export("__tvm_ffi__library_ctx", "data", bytes(8))]),
    ),
    Row(
        "symbols.unknown-api",
        pe(imports=[("tvm_ffi.dll", ["TVMFFIFrobnicate"])]),
        pe(imports=[("tvm_ffi_testing.dll", ["TVMFFIFrobnicate"])]),
    ),
    Row(
        "symbols.orphan-metadata",
        pe(exports=[tiny_pe.Export("__tvm_ffi__metadata_add")]),
        pe(
            exports=[
                tiny_pe.Export("__tvm_ffi__metadata_add"),
                tiny_pe.Export("__tvm_ffi_add"),
            ]
        ),
    ),
]

ROWS = MACHO + PE

# SPDX-License-Identifier: Apache-2.0
"""Files of macOS and Windows that `inspect` looks at together: a table of packages, each with the
findings that it must have and those that it must not."""

from __future__ import annotations

from dataclasses import dataclass

import tiny_macho
import tiny_pe
from tiny_macho import ARM64, X86_64, Export, Import, Macho

HELP, CXX, CALL = "TVMFFITestingHelper", "_ZN3tvm3ffi9OwnHelperEv", "TVMFFIFunctionCall"
ADD = [Export("__tvm_ffi_add")]
API = [Export("TVMFFIObjectIncRef"), Export(CALL)]
MAC, WINDOWS = "x-1-py3-none-macosx_11_0_arm64.whl", "x-1-py3-none-win_amd64.whl"
UNIVERSAL = MAC.replace("arm64", "universal2")
LACKS, BUNDLED = "linking.sibling-lacks", "wheel.bundled-runtime"
UNKNOWN, MANGLED = "symbols.unknown-api", "symbols.mangled-tvm-ffi"
MACHINE = "wheel.other-machine"


def user(needed: str, *names: str, cpu: int = ARM64, **changes: object) -> bytes:
    """A module that imports these names from one library; from the runtime if none are given."""
    made = {"exports": ADD, "imports": [Import(name) for name in names or (CALL,)]}
    made |= {"libraries": [(tiny_macho.LOAD, needed)], "rpaths": ["@loader_path"]}
    return Macho(**{**made, "cpu": cpu, **changes}).write()  # type: ignore[arg-type]


def helper(*names: str, name: str = "@rpath/libhelper.dylib", **changes: object) -> bytes:
    made = {"exports": [Export(one) for one in names], "name": name, "cpu": ARM64}
    return Macho(**{**made, **changes}).write()  # type: ignore[arg-type]


def thin(cpu: int) -> bytes:
    return user("@rpath/libtvm_ffi.dylib", cpu=cpu)


def fat(*processors: int) -> bytes:
    return tiny_macho.universal([(one, 3, thin(one)) for one in processors])


def dll(needed: str, *names: str, machine: int = tiny_pe.X86_64) -> bytes:
    exports = [tiny_pe.Export("__tvm_ffi_add")]
    return tiny_pe.Pe(exports=exports, imports=[(needed, names)], machine=machine).write()


def helper_dll(*names: str, **changes: object) -> bytes:
    return tiny_pe.Pe(exports=[tiny_pe.Export(one) for one in names], **changes).write()  # type: ignore[arg-type]


@dataclass(frozen=True)
class Package:
    what: str
    wheel: str  # "": a folder of this name is made
    members: dict[str, bytes]
    has: frozenset[str] = frozenset()  # of the first member
    lacks: frozenset[str] = frozenset()


def package(
    what: str, wheel: str, members: dict[str, bytes], has: tuple[str, ...], *lacks: str
) -> Package:
    return Package(what, wheel, members, frozenset(has), frozenset(lacks))


RPATH, BESIDE = "@rpath/libhelper.dylib", "@loader_path/../x.dylibs/libhelper.dylib"
FOUND = ((), UNKNOWN, MANGLED, LACKS)
# A runtime by another name: its numbers and its C++ functions are as little to be relied on.
RENAMED = "librt_8d2a.dylib"

PACKAGES = [
    package(
        "by @rpath and the name of the file",
        MAC,
        {"x/u.so": user(RPATH, HELP, CXX), "x/libhelper.dylib": helper(HELP, CXX, name="other")},
        *FOUND,
    ),
    package(
        "by the install name, whatever the file is called",
        MAC,
        {"x/u.so": user(RPATH, HELP, CXX), "x/libhelper.1.dylib": helper(HELP, CXX)},
        *FOUND,
    ),
    package(
        "from the folder of the library on",
        MAC,
        {"x/u.so": user(BESIDE, HELP, CXX), "x.dylibs/libhelper.dylib": helper(HELP, CXX)},
        *FOUND,
    ),
    package(
        "not in another folder",
        MAC,
        {"x/u.so": user(BESIDE, CXX), "y.dylibs/libhelper.dylib": helper(name="z")},
        (),
        LACKS,
    ),
    package(
        "a symbol that it lacks",
        MAC,
        {"x/u.so": user(BESIDE, "plain"), "x.dylibs/libhelper.dylib": helper(HELP)},
        (LACKS,),
    ),
    package(
        "one that may be missing",
        MAC,
        {
            "x/u.so": user(BESIDE, imports=[Import("plain", weak=True)]),
            "x.dylibs/libhelper.dylib": helper(HELP),
        },
        (),
        LACKS,
    ),
    package(
        "one that it re-exports a library for",
        MAC,
        {
            "x/u.so": user(BESIDE, "plain"),
            "x.dylibs/libhelper.dylib": helper(
                HELP, libraries=[(tiny_macho.REEXPORT, "/usr/lib/libz.dylib")]
            ),
        },
        (),
        LACKS,
    ),
    package(
        "for another processor",
        MAC,
        {"x/u.so": user(BESIDE, "plain"), "x.dylibs/libhelper.dylib": helper(HELP, cpu=X86_64)},
        (),
        LACKS,
    ),
    package(
        "parts of universal files among themselves",
        UNIVERSAL,
        {
            "x/u.so": tiny_macho.universal(
                [
                    (ARM64, 0, user(BESIDE, HELP)),
                    (X86_64, 3, user(BESIDE, HELP, cpu=X86_64)),
                ]
            ),
            "x.dylibs/libhelper.dylib": tiny_macho.universal(
                [(ARM64, 0, helper(HELP)), (X86_64, 3, helper("other", cpu=X86_64))]
            ),
        },
        (LACKS,),
    ),
    package(
        "a runtime that was brought along",
        MAC,
        {"x.dylibs/libtvm_ffi.dylib": helper(CALL, "TVMFFIObjectIncRef")},
        (BUNDLED,),
    ),
    package(
        "a user of one by another name",
        MAC,
        {
            "x/u.so": user(f"@loader_path/{RENAMED}", CALL, CXX, "TVMFFIFrobnicate"),
            f"x/{RENAMED}": helper(CALL, CXX, "TVMFFIObjectIncRef", name=f"@rpath/{RENAMED}"),
        },
        (MANGLED, LACKS, UNKNOWN),
    ),
    package("the machine of the tag", MAC, {"u.so": thin(ARM64)}, (), MACHINE),
    package("another machine", MAC, {"u.so": thin(X86_64)}, (MACHINE,)),
    package(
        "the other way round", MAC.replace("arm64", "x86_64"), {"u.so": thin(ARM64)}, (MACHINE,)
    ),
    package("both machines", MAC, {"u.so": fat(ARM64, X86_64)}, (), MACHINE),
    package("both, as promised", UNIVERSAL, {"u.so": fat(X86_64, ARM64)}, (), MACHINE),
    package("one of two that are promised", UNIVERSAL, {"u.so": thin(ARM64)}, (MACHINE,)),
    package("two files", UNIVERSAL, {"a/u.so": thin(ARM64), "b/u.so": thin(X86_64)}, (), MACHINE),
    package("another system", WINDOWS, {"u.so": thin(X86_64)}, (MACHINE,)),
    package(
        "several systems",
        f"x-1-py3-none-macosx_11_0_arm64.{WINDOWS.split('-')[-1]}",
        {"u.dll": dll("tvm_ffi.dll", CALL), "u.so": thin(ARM64)},
        (),
        MACHINE,
    ),
    package(
        "DLL: the machine of the tag", WINDOWS, {"u.dll": dll("tvm_ffi.dll", CALL)}, (), MACHINE
    ),
    package(
        "DLL: another machine",
        WINDOWS,
        {"u.dll": dll("tvm_ffi.dll", CALL, machine=tiny_pe.I386)},
        (MACHINE,),
    ),
    package(
        "DLL: another system",
        "x-1-py3-none-manylinux_2_28_x86_64.whl",
        {"u.dll": dll("tvm_ffi.dll", CALL)},
        (MACHINE,),
    ),
    package(
        "DLL: in small and large letters",
        WINDOWS,
        {"x/u.pyd": dll("HELPER.dll", HELP, CXX), "x.libs/Helper.DLL": helper_dll(HELP, CXX)},
        *FOUND,
    ),
    package(
        "DLL: a symbol that it lacks",
        WINDOWS,
        {"x/u.pyd": dll("helper.dll", "plain"), "x.libs/helper.dll": helper_dll(HELP)},
        (LACKS,),
    ),
    package(
        "DLL: one that it forwards",
        WINDOWS,
        {
            "x/u.pyd": dll("helper.dll", "plain"),
            "x.libs/helper.dll": tiny_pe.Pe(
                exports=[tiny_pe.Export("plain", forwarder="other.plain")]
            ).write(),
        },
        (),
        LACKS,
    ),
    package(
        "DLL: a runtime that was brought along",
        WINDOWS,
        {"x.libs/tvm_ffi-8d2a1f3c.dll": helper_dll(CALL, "TVMFFIObjectIncRef")},
        (BUNDLED,),
    ),
    package(
        "DLL: a user of one by another name",
        WINDOWS,
        {
            "x/u.pyd": dll("rt-8d2a.dll", CALL, "?f@ffi@tvm@@YAXXZ"),
            "x.libs/rt-8d2a.dll": helper_dll(CALL, "?f@ffi@tvm@@YAXXZ"),
        },
        (MANGLED,),
        LACKS,
    ),
    package(
        "in a folder",
        "",
        {"x/u.so": user(BESIDE, HELP, CXX), "x.dylibs/libhelper.dylib": helper(HELP, CXX)},
        *FOUND,
    ),
]

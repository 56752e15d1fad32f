# SPDX-License-Identifier: Apache-2.0
"""For every finding of `inspect` a file that has it, and a near miss that has it not."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import elf_patch
from elf_patch import Elf


@dataclass(frozen=True)
class Build:
    """How a file is made: by the C compiler, and changed afterwards."""

    source: str
    flags: tuple[str, ...] = ()
    kind: str = "shared"  # "object", "executable"
    version_script: str = ""
    patch: Callable[[Elf], None] | None = None
    policy: dict[str, Any] | None = None
    baseline: str = ""  # the source of an earlier build to compare with
    only_on: str = ""  # the machine that it can be built on
    wheel: str = ""  # the wheel that it lies in: NAME-VERSION-PYTHON-ABI-PLATFORM.whl
    metadata: str = ""  # what stands in this wheel's METADATA, besides its name
    made: bytes = b""  # the file itself, where no compiler here makes it
    beside: tuple[str, bytes] = ("", b"")  # another file of the wheel


@dataclass(frozen=True)
class Row:
    id: str
    bad: Build
    good: Build
    symbol: str | None = field(default=None)  # what the finding has to name


ADD = "int __tvm_ffi_add(void *h, const void *a, int n, void *r) { return !h + !a + n + !r; }\n"
LIBRARY_CTX = "__tvm_ffi__library_ctx"
FULL_RUNTIME = "@every function@"  # replaced by a definition of each
FIRST_RUNTIME = "@functions of 0.1.0@"
SONAME = ("-Wl,-soname,libtvm_ffi.so",)
KEY_CHECK = "custom_any_equal.type_index == TypeIndex::kTVMFFIFunction"
NEWER_KEY_CHECK = "Check failed: error.type_index() == TypeIndex::kTVMFFIError"
CXX_LIBRARY = ("-Wl,--no-as-needed", "-lstdc++")
MISALIGNED = f"""
__asm__(".data\\n.balign 16\\n.byte 0\\n.globl {LIBRARY_CTX}\\n"
        ".type {LIBRARY_CTX}, %object\\n.size {LIBRARY_CTX}, 8\\n"
        "{LIBRARY_CTX}: .quad 0\\n.text\\n");
"""


def calls(name: str, attribute: str = "") -> str:
    declaration = f"extern {attribute} void {name}(void);"
    return f"{ADD}{declaration}\nvoid *use_it(void) {{ return (void *){name}; }}\n"


def blob(rows: list[int], children: list[int], entries: list[tuple[bytes, bytes | None]]) -> bytes:
    body = struct.pack(f"<{len(rows) + 1}Q", len(rows), *rows)
    body += struct.pack(f"<{len(children) + 1}Q", len(children), *children)
    for kind, value in entries:
        body += struct.pack("<Q", len(kind)) + kind
        if value is not None:
            body += struct.pack("<Q", len(value)) + value
    return struct.pack("<Q", len(body)) + body


def embed(data: bytes) -> str:
    numbers = ",".join(str(byte) for byte in data)
    return ADD + f"const unsigned char __tvm_ffi__library_bin[{len(data)}] = {{{numbers}}};\n"


SOUND = blob([0, 1, 1], [1], [(b"_lib", None), (b"cuda", b"PTX!")])
ORPHAN = blob([0, 1, 1, 1], [1], [(b"_lib", None), (b"c", b""), (b"cuda", b"PTX!")])
ADOPTED = blob([0, 2, 2, 2], [1, 2], [(b"_lib", None), (b"c", b""), (b"cuda", b"PTX!")])
NO_SUCH_CHILD = blob([0, 1, 1], [7], [(b"_lib", None), (b"cuda", b"PTX!")])
OLD_LAYOUT = struct.pack("<QQQ", 48, 2, 12) + b"_import_tree" + bytes(24)
HUGE = """
__asm__(".section .rodata\\n.globl __tvm_ffi__library_bin\\n"
        ".type __tvm_ffi__library_bin, %object\\n"
        "__tvm_ffi__library_bin: .quad 4900000, 600000\\n.zero 4900000\\n"
        ".size __tvm_ffi__library_bin, . - __tvm_ffi__library_bin\\n.text\\n");
"""


def module(*lines: str, **more: Any) -> Build:
    return Build(ADD + "\n".join(lines), **more)


def policy(**rules: Any) -> dict[str, Any]:
    return {"format": "tvmffi-conform-policy/1", **rules}


SYMBOLS = [
    Row(
        "symbols.mangled-tvm-ffi",
        Build(calls("_ZN3tvm3ffi6Object6DecRefEv")),
        module("void _ZN3tvm3ffi6Object6DecRefEv(void) {}"),
        "_ZN3tvm3ffi6Object6DecRefEv",
    ),
    Row(
        "symbols.unresolved",
        Build(calls("frobnicate")),
        Build(calls("frobnicate", "__attribute__((weak))")),
        "frobnicate",
    ),
    Row("symbols.unresolved", Build(calls("cudaMalloc")), Build(calls("PyLong_FromLong"))),
    Row("symbols.unresolved", Build(calls("frobnicate")), Build(calls("malloc"), ("-nostdlib",))),
    Row(
        "symbols.unresolved",
        Build(calls("_ZNSt8newer_onev")),
        Build(calls("_ZNSt8newer_onev"), CXX_LIBRARY),
    ),
    Row(
        "symbols.unresolved",
        Build(calls("_ZN1a1bEv"), CXX_LIBRARY),
        Build(calls("_ZdlPv"), CXX_LIBRARY),
    ),
    Row(
        "symbols.no-version",
        Build(calls("_ZNSt8newer_onev"), CXX_LIBRARY),
        Build(calls("_ZSt9terminatev"), CXX_LIBRARY),
        "_ZNSt8newer_onev",
    ),
    Row("symbols.unknown-api", Build(calls("TVMFFIFrobnicate")), Build(calls("TVMFFIBacktrace"))),
    Row("symbols.stale-import", Build(calls("TVMFFITraceback")), Build(calls("TVMFFIBacktrace"))),
    Row("symbols.stale-import", Build(calls("TVMBackendGetFuncFromEnv")), module()),
    Row(
        "symbols.stale-export",
        module("void *__tvm_ffi_library_ctx;"),
        module("int __tvm_ffi_library_ctx(void) { return 0; }"),
        "__tvm_ffi_library_ctx",
    ),
    *(
        Row("symbols.stale-export", Build(f"char {name}[8];"), module())
        for name in ("__tvm_main__", "__tvm_module_ctx", "__tvm_dev_mblob", "get_c_metadata")
    ),
    Row(
        "symbols.reserved-name",
        module("int __tvm_ffi__frobnicate(void) { return 0; }"),
        module("int __tvm_ffi_frobnicate(void) { return 0; }"),
    ),
    Row("symbols.data-as-function", Build("int __tvm_ffi_add = 1;"), module()),
    Row(
        "symbols.empty-name",
        module("int __tvm_ffi_(void) { return 0; }"),
        module("int __tvm_ffi_a(void) { return 0; }"),
    ),
    Row(
        "symbols.hidden",
        module('__attribute__((visibility("hidden"))) int __tvm_ffi_mul(void) { return 0; }'),
        module("int __tvm_ffi_mul(void) { return 0; }"),
        "__tvm_ffi_mul",
    ),
    Row(
        "symbols.hidden",
        module("int other(void) { return 0; }", version_script="{ global: other; local: *; };"),
        module("int other(void) { return 0; }", version_script="{ global: __tvm*; local: *; };"),
        "__tvm_ffi_add",
    ),
    Row(
        "symbols.hidden-version",
        Build(
            'int impl(void) { return 0; }\n__asm__(".symver impl, __tvm_ffi_add@V1");',
            version_script="V1 { global: __tvm_ffi_add; };",
        ),
        Build(
            'int impl(void) { return 0; }\n__asm__(".symver impl, __tvm_ffi_add@@V1");',
            version_script="V1 { global: __tvm_ffi_add; };",
        ),
    ),
    Row(
        "symbols.orphan-metadata",
        module("int __tvm_ffi__metadata_mul(void) { return 0; }"),
        module("int __tvm_ffi__metadata_add(void) { return 0; }"),
    ),
]

SLOT = "__TVMFFIFunctionCall"
DATA = [
    Row(
        "slots.never-filled", module("void *__TVMBackendGetFuncFromEnv;"), module(f"void *{SLOT};")
    ),
    Row("slots.unknown", module("void *__TVMFFIFrobnicate;"), module(f"void *{SLOT};")),
    Row("slots.needs-tvm-runtime", module(f"void *{SLOT};"), Build(calls("TVMFFIFunctionCall"))),
    Row("slots.wrong-type", module(f"int {SLOT}(void) {{ return 0; }}"), module(f"void *{SLOT};")),
    Row("slots.wrong-size", module(f"int {SLOT};"), module(f"void *{SLOT};")),
    Row("slots.not-writable", module(f"void *const {SLOT} = 0;"), module(f"void *{SLOT} = 0;")),
    Row(
        "library-ctx.wrong-type",
        module(f"int {LIBRARY_CTX}(void) {{ return 0; }}"),
        module(f"void *{LIBRARY_CTX};"),
    ),
    Row("library-ctx.wrong-size", module(f"int {LIBRARY_CTX};"), module(f"void *{LIBRARY_CTX};")),
    Row(
        "library-ctx.not-writable",
        module(f"void *const {LIBRARY_CTX} = 0;"),
        module(f"void *{LIBRARY_CTX} = 0;"),
    ),
    Row(  # writable in the file, and no longer once it is relocated
        "library-ctx.not-writable",
        module("int other;", f"void *const {LIBRARY_CTX} = &other;", flags=("-Wl,-z,relro",)),
        module("int other;", f"void *{LIBRARY_CTX} = &other;", flags=("-Wl,-z,relro",)),
    ),
    Row(
        "library-ctx.not-writable",
        module(f"void *const {LIBRARY_CTX} = 0;", kind="object"),
        module(f"void *{LIBRARY_CTX} = 0;", kind="object"),
    ),
    Row("library-ctx.misaligned", module(MISALIGNED), module(f"void *{LIBRARY_CTX};")),
    Row(
        "library-bin.wrong-type",
        module("int __tvm_ffi__library_bin(void) { return 0; }"),
        Build(embed(SOUND)),
    ),
    Row("library-bin.no-bytes", module("char __tvm_ffi__library_bin[64];"), Build(embed(SOUND))),
    Row("library-bin.broken", Build(embed(NO_SUCH_CHILD)), Build(embed(SOUND))),
    Row(
        "library-bin.broken",
        Build(embed(NO_SUCH_CHILD), kind="object"),
        Build(embed(SOUND), kind="object"),
    ),
    Row("library-bin.old-layout", Build(embed(OLD_LAYOUT)), Build(embed(NO_SUCH_CHILD))),
    Row("library-bin.size-mismatch", Build(embed(SOUND + b"\0")), Build(embed(SOUND))),
    Row("library-bin.unreachable", Build(embed(ORPHAN)), Build(embed(ADOPTED))),
    Row("library-bin.not-judged", module(HUGE), Build(embed(NO_SUCH_CHILD))),
]

EXPORTS = [
    Row(
        "exports.runtime-in-module", module("void TVMFFIGetVersion(void *v) { (void)v; }"), module()
    ),
    Row(
        "exports.leaked",
        module("void backtrace_full(void) {}"),
        module("static void backtrace_full(void) {} void (*p)(void) = backtrace_full;"),
    ),
    Row(
        "exports.leaked",
        module("void _ZNSt6vectorIiE4sizeEv(void) {}"),
        module("__attribute__((weak)) void _ZNSt6vectorIiE4sizeEv(void) {}"),
    ),
    Row(
        "exports.leaked",
        module("void _ZNSt6vectorINSt5arrayIiLm2EEEE4sizeEv(void) {}"),
        module("void _ZNSt6vectorIN3tvm5ArrayIiEEE4sizeEv(void) {}"),
    ),
    Row(
        "exports.leaked",
        module("void __cxa_throw(void) {}"),
        Build(calls("_ZSt9terminatev") + "void _ZSt15get_new_handlerv(void) {}", ("-lstdc++",)),
    ),
    Row(
        "exports.unique",
        module('int one; __asm__(".type one, %gnu_unique_object");'),
        module("__attribute__((weak)) int one;"),
    ),
    Row(
        "exports.tvm-ffi-cxx",
        module("__attribute__((weak)) void _ZN3tvm3ffi1fEv(void) {}"),
        module('__attribute__((visibility("hidden"))) void _ZN3tvm3ffi1fEv(void) {}'),
    ),
    Row(
        "runtime.incomplete",
        Build("void TVMFFIGetVersion(void *v) { (void)v; }", SONAME),
        Build(FULL_RUNTIME, SONAME),
    ),
    Row(
        "runtime.partial",
        Build(FIRST_RUNTIME + "void TVMFFIHandleInitOnce(void) {}", SONAME),
        Build(FIRST_RUNTIME, SONAME),
    ),
    # An older name is one beside names of a release, and the generation's without them.
    Row(
        "runtime.generation-2025-09",
        Build("void TVMFFITraceback(void) {} void TVMFFIObjectIncRef(void) {}", SONAME),
        Build("void TVMFFITraceback(void) {} void TVMFFIGetVersion(void) {}", SONAME),
    ),
    Row(
        "runtime.unknown-function",
        Build(FULL_RUNTIME + "void TVMFFIFrobnicate(void) {}", SONAME),
        Build(FULL_RUNTIME, SONAME),
    ),
    Row("runtime.no-soname", Build(FULL_RUNTIME), Build(FULL_RUNTIME, SONAME)),
]

LINKS = [
    Row(
        "linking.libtvm-ffi-not-needed",
        Build(calls("TVMFFIBacktrace")),
        Build(calls("TVMFFIBacktrace"), ("@runtime@",)),
    ),
    Row(
        "linking.fixed-rpath",
        module(flags=("-Wl,-rpath,/opt/lib",)),
        module(flags=("-Wl,-rpath,$ORIGIN/../lib",)),
        "/opt/lib",
    ),
    Row(
        "cxx.old-error-layout",
        module("__attribute__((weak)) char _ZTIN3tvm3ffi18EnvErrorAlreadySetE[16];"),
        module("__attribute__((weak)) void _ZN3tvm3ffi18EnvErrorAlreadySetEv(void) {}"),
    ),
    Row(
        "cxx.custom-allocator",
        Build(
            calls("TVMFFIGetCustomAllocator")
            + "__attribute__((weak)) void _ZN3tvm3ffi1fEv(void) {}"
        ),
        Build(calls("TVMFFIGetCustomAllocator")),
    ),
    Row(
        "cxx.old-key-functions",
        module(f'const char *f(void) {{ return "{KEY_CHECK}"; }}'),
        module(f'const char *f(int i) {{ return i ? "{KEY_CHECK}" : "{NEWER_KEY_CHECK}"; }}'),
    ),
    Row(
        "cxx.mixed-headers",
        module("void _ZN3tvm3ffi7details1fEv(void) {}", "void _ZN3tvm3ffi6detail1fEv(void) {}"),
        module("void _ZN3tvm3ffi7details1fEv(void) {}", "void _ZN3tvm3ffi7details1gEv(void) {}"),
    ),
    Row("floors.glibc-private", Build(calls("__libc_early_init")), Build(calls("malloc"))),
    Row(
        "floors.above-manylinux-2-28",
        module(
            "double pow(double, double);",
            "double f(double x) { return pow(x, x); }",
            flags=("-fno-builtin", "-lm"),
            only_on="x86_64",
        ),
        module(
            "double sin(double);",
            "double f(double x) { return sin(x); }",
            flags=("-fno-builtin", "-lm"),
            only_on="x86_64",
        ),
    ),
]

ELF = [
    Row(
        "elf.text-relocations",
        module('int other; __asm__(".text\\n.quad other\\n");', flags=("-Wl,-z,notext",)),
        module('int other; __asm__(".data\\n.quad other\\n.text\\n");', flags=("-Wl,-z,notext",)),
    ),
    Row(
        "elf.executable-stack",
        module(flags=("-Wl,-z,execstack",)),
        module(flags=("-Wl,-z,noexecstack",)),
    ),
    Row(
        "elf.stack-unmarked",
        Build(
            ".globl __tvm_ffi_add\n__tvm_ffi_add: ret\n",
            ("-xassembler",),
            "object",
            only_on="x86_64",
        ),
        Build(
            '.globl __tvm_ffi_add\n__tvm_ffi_add: ret\n.section .note.GNU-stack,"",%progbits\n',
            ("-xassembler",),
            "object",
            only_on="x86_64",
        ),
    ),
    Row("elf.writable-code", module(patch=elf_patch.make_code_writable), module()),
    Row(
        "elf.executable",
        module("int main(void) { return 0; }", flags=("-rdynamic",), kind="executable"),
        module("int main(void) { return 0; }"),
    ),
    Row(
        "elf.no-hash-table",
        module(patch=elf_patch.drop_tags(elf_patch.DT_HASH, elf_patch.DT_GNU_HASH)),
        module(patch=elf_patch.drop_tags(elf_patch.DT_HASH)),
    ),
    Row(
        "elf.hash-misses-symbol",
        module(patch=elf_patch.clear_bloom_filter, flags=("-Wl,--hash-style=gnu",)),
        module(flags=("-Wl,--hash-style=sysv",)),
        "__tvm_ffi_add",
    ),
    Row(
        "elf.broken-versions",
        Build(calls("malloc"), patch=elf_patch.miscount_versions),
        Build(calls("malloc")),
    ),
    Row(
        "elf.undefined-version",
        Build(calls("malloc"), patch=elf_patch.give_version("malloc", 0x55)),
        Build(calls("malloc"), patch=elf_patch.give_version("malloc", 1)),
        "malloc",
    ),
    Row(
        "elf.version-library-not-needed",
        Build(calls("malloc"), patch=elf_patch.drop_tags(elf_patch.DT_NEEDED)),
        Build(calls("malloc")),
    ),
    Row(
        "object.not-pic",
        module(
            "int x; int *f(void) { return &x; }",
            flags=("-fno-pic",),
            kind="object",
            only_on="x86_64",
        ),
        module(
            "int x; int *f(void) { return &x; }",
            flags=("-fPIC", "-g"),
            kind="object",
            only_on="x86_64",
        ),
    ),
    Row(
        "elf.too-many-symbols",
        module(kind="object", patch=elf_patch.repeat_symbols(530000)),
        module(kind="object", patch=elf_patch.repeat_symbols(1000)),
    ),
]

POLICIES = [
    Row(
        "policy.abi-floor",
        Build(calls("TVMFFIHandleInitOnce"), policy=policy(abi_floor="0.1.4")),
        Build(calls("TVMFFIHandleInitOnce"), policy=policy(abi_floor="0.1.5")),
    ),
    Row(
        "policy.glibc",
        Build(calls("malloc"), policy=policy(glibc="2.1")),
        Build(calls("malloc"), policy=policy(glibc="9.0")),
    ),
    Row(
        "policy.glibcxx",
        Build(calls("_ZSt9terminatev"), ("-lstdc++",), policy=policy(glibcxx="3.1")),
        Build(calls("_ZSt9terminatev"), ("-lstdc++",), policy=policy(glibcxx="3.4")),
    ),
    Row(
        "policy.cxxabi",
        Build(calls("__cxa_rethrow"), ("-lstdc++",), policy=policy(cxxabi="1.2")),
        Build(calls("__cxa_rethrow"), ("-lstdc++",), policy=policy(cxxabi="1.3")),
    ),
    Row(
        "policy.export-missing",
        module(policy=policy(exports={"required": ["__tvm_ffi_mul"]})),
        module(policy=policy(exports={"required": ["__tvm_ffi_*"]})),
        "__tvm_ffi_mul",
    ),
    Row(
        "policy.export-not-allowed",
        module("int x;", policy=policy(exports={"allowed": ["__tvm_ffi_*"]})),
        module("int x;", policy=policy(exports={"allowed": ["__tvm_ffi_*", "x"]})),
        "x",
    ),
    Row(
        "policy.import-not-allowed",
        Build(calls("malloc"), policy=policy(imports={"allowed": ["mem*"]})),
        Build(calls("malloc"), policy=policy(imports={"allowed": ["m?lloc"]})),
        "malloc",
    ),
    Row(
        "policy.abi-floor",
        module(
            calls("TVMFFIHandleInitOnce").removeprefix(ADD),
            policy=policy(files={"*bad*": {"abi_floor": "0.1.0"}}),
        ),
        module(
            calls("TVMFFIHandleInitOnce").removeprefix(ADD),
            policy=policy(files={"*bad*": {"abi_floor": "0.1.0"}}),
        ),
    ),
    Row(
        "baseline.floor-rises",
        Build(calls("TVMFFIHandleInitOnce"), baseline=calls("TVMFFIBacktrace")),
        Build(calls("TVMFFIErrorCreate"), baseline=calls("TVMFFIBacktrace")),
    ),
    Row(
        "baseline.export-gone",
        module(baseline=ADD + "int __tvm_ffi_mul(void) { return 0; }"),
        module("int __tvm_ffi_mul(void) { return 0; }", baseline=ADD),
        "__tvm_ffi_mul",
    ),
    Row(
        "baseline.new-finding",
        Build(calls("TVMFFIFrobnicate"), baseline=ADD),
        Build(calls("TVMFFIFrobnicate"), baseline=calls("TVMFFIFrobnicate")),
        "TVMFFIFrobnicate",
    ),
]

ROWS = SYMBOLS + DATA + EXPORTS + LINKS + ELF + POLICIES


def definitions(functions: Path, newest: tuple[int, ...]) -> str:
    """A definition of every function that the suite's table has, up to a version."""
    text = functions.read_text(encoding="utf-8")
    pattern = r"ABI_FUNCTION\(\w+, ABI_VERSION\((\d+), (\d+), (\d+)\),[^()]*?(\w+),\s*\("
    return "".join(
        f"void TVMFFI{name}(void) {{}}\n"
        for *since, name in re.findall(pattern, text)
        if tuple(map(int, since)) <= newest
    )

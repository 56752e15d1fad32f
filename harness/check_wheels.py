#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the findings of `tvmffi-conform inspect` in wheels with nm, readelf and auditwheel.

check_wheels.py TOOL WHEEL...: one of them must see every finding, and what they see of
unknown and mangled names, bundled runtimes, tags and requirements must be a finding. Wheels of
apache-tvm-ffi may have no error at all.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any

import abi_tables
from abi_tables import Expectation
from auditwheel.wheel_abi import NonPlatformWheelError, analyze_wheel_abi
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

TABLES = Path(__file__).resolve().parents[1] / "conformance" / "abi"
RUNTIME = "apache-tvm-ffi"
LEGACY = {"manylinux1": (2, 5), "manylinux2010": (2, 12), "manylinux2014": (2, 17)}
MACHINES = {"X86-64": "x86_64", "AArch64": "aarch64", "80386": "i686"}
KEY_CHECK = b"custom_any_equal.type_index == TypeIndex::kTVMFFIFunction"
SYSTEM = ("libc.", "libm.", "libdl.", "libpthread.", "librt.", "libgcc_s.", "libstdc++.", "ld-")
SKIPPED = 77
Finding = dict[str, Any]


def said(*command: object) -> str:
    done = subprocess.run(
        list(map(str, command)),
        capture_output=True,
        text=True,
        errors="replace",
        env={**os.environ, "LC_ALL": "C"},
        check=False,
    )
    return done.stdout


@cache
def functions() -> frozenset[str]:
    return frozenset(abi_tables.read(TABLES, files=["functions.def"]).functions)


@dataclass
class Library:
    """What nm and readelf say of one file."""

    path: Path

    @cached_property
    def symbols(self) -> list[tuple[str, str, str]]:
        """Letter, name and version of each dynamic symbol; of an object file of each global one."""
        shared = "DYN (" in self.header
        lines = said("nm", "-D" if shared else "-g", self.path).splitlines()
        found = [re.fullmatch(r"[0-9a-f ]*? ?([A-Za-z]) (\S+)", line.strip()) for line in lines]
        split = [(one[1], *one[2].replace("@@", "@").partition("@")) for one in found if one]
        return [(letter, name, version) for letter, name, _, version in split]

    @cached_property
    def header(self) -> str:
        return said("readelf", "-hW", self.path)

    @cached_property
    def dynamic(self) -> str:
        return said("readelf", "-dW", self.path)

    @cached_property
    def segments(self) -> str:
        return said("readelf", "-lSW", self.path)

    @cached_property
    def letters(self) -> dict[str, str]:
        return {name: letter for letter, name, _ in self.symbols}

    @cached_property
    def undefined(self) -> set[str]:
        """Of no version, and not weak."""
        return {name for letter, name, version in self.symbols if letter == "U" and not version}

    @cached_property
    def imported(self) -> set[str]:
        return {name for letter, name, _ in self.symbols if letter in "Uwv"}

    @cached_property
    def defined(self) -> set[str]:
        return {name for letter, name, _ in self.symbols if letter not in "Uwv"}

    @cached_property
    def all_names(self) -> set[str]:
        return {
            line.split()[-1] for line in said("nm", "-a", self.path).splitlines()
        } | self.defined

    def tags(self, name: str) -> list[str]:
        return re.findall(rf"\({name}\)[^\[]*\[(.*)\]", self.dynamic)

    @property
    def names(self) -> set[str]:
        return {self.path.name, *self.tags("SONAME")}

    @property
    def machine(self) -> str:
        found = re.search(r"Machine: +(?:Advanced Micro Devices |Intel )?(\S+)", self.header)
        return MACHINES.get(found[1], found[1]) if found else ""

    @cached_property
    def is_runtime(self) -> bool:
        return bool(self.defined & functions()) and "DYN (" in self.header

    def floor(self, kind: str) -> tuple[int, ...]:
        needs = said("readelf", "-VW", self.path).partition("Version needs section")[2]
        found = re.findall(rf"Name: {kind}_([0-9.]+) ", needs.replace("ABI_DT_RELR", "2.36"))
        return max((tuple(map(int, one.split("."))) for one in found), default=())


@dataclass
class Wheel:
    """A wheel, unpacked."""

    path: Path
    folder: Path
    libraries: dict[str, Library] = field(default_factory=dict)  # by the name of the member
    closures: dict[Path, list[Library]] = field(default_factory=dict)

    def library(self, member: str) -> Library:
        """A member, or a member of an archive within."""
        if member not in self.libraries:
            outer, _, inner = member.partition("!")
            path = self.folder / outer
            if inner:
                inside = Path(tempfile.mkdtemp(dir=self.folder))
                subprocess.run(["ar", "x", str(path)], cwd=inside, check=True)
                path = inside / inner.partition("#")[0]
            self.libraries[member] = Library(path)
        return self.libraries[member]

    @cached_property
    def shared(self) -> list[Library]:
        files = [path for path in self.folder.rglob("*") if path.is_file()]
        elf = [path for path in files if path.read_bytes()[:4] == b"\x7fELF"]
        return [one for one in map(Library, elf) if "DYN (Shared" in one.header]

    def linked(self, library: Library) -> list[Library]:
        """What NEEDED leads to within the wheel."""
        if library.path not in self.closures:
            self.closures[library.path] = self.follow(library)
        return self.closures[library.path]

    def follow(self, library: Library) -> list[Library]:
        found: list[Library] = []
        waiting = library.tags("NEEDED")
        while waiting:
            name = waiting.pop()
            for one in self.shared:
                if name in one.names and one not in found and one.machine == library.machine:
                    found.append(one)
                    waiting += one.tags("NEEDED")
                    break
        return found

    @property
    def name(self) -> str:
        return canonicalize_name(self.path.name.split("-")[0])

    @property
    def platforms(self) -> list[str]:
        return self.path.stem.split("-")[-1].split(".")

    def glibc(self) -> tuple[int, ...] | None:
        """What the least demanding of the tags promises."""
        found = []
        for tag in self.platforms:
            numbered = re.match(r"manylinux_(\d+)_(\d+)_", tag)
            if numbered:
                found.append((int(numbered[1]), int(numbered[2])))
            found += [value for name, value in LEGACY.items() if tag.startswith(name + "_")]
        return min(found, default=None)

    @cached_property
    def elsewhere(self) -> frozenset[str]:
        """Libraries of this machine: auditwheel would count what these need, too."""
        needed = {name for one in self.shared for name in one.tags("NEEDED")}
        own = {name for one in self.shared for name in one.names}
        return frozenset(name for name in needed - own if not name.startswith(SYSTEM))

    @cached_property
    def audited(self) -> tuple[int, ...] | None:
        """The glibc of the oldest policy that the versions of symbols allow, by auditwheel. None:
        it does not look at wheels without an extension module."""
        try:
            info = analyze_wheel_abi(
                None, None, self.path, self.elsewhere, disable_isa_ext_check=True, allow_graft=True
            )
        except (NonPlatformWheelError, RuntimeError):
            return None
        numbers = re.match(r"manylinux_(\d+)_(\d+)_", info.sym_policy.name)
        return (int(numbers[1]), int(numbers[2])) if numbers else (99,)

    def requirements(self) -> list[Requirement]:
        """What it asks for of the runtime, without extras."""
        (metadata,) = self.folder.glob("*.dist-info/METADATA")
        head = metadata.read_text(encoding="utf-8").partition("\n\n")[0]
        found = map(Requirement, re.findall(r"^Requires-Dist: *(.*)$", head, re.M))
        return [
            one
            for one in found
            if canonicalize_name(one.name) == RUNTIME and "extra" not in str(one.marker or "")
        ]


# --- What a finding has to show ------------------------------------------------------------------


def provided(wheel: Wheel, library: Library, symbol: str, runtimes: bool) -> bool:
    return any(
        symbol in one.defined for one in wheel.linked(library) if runtimes or not one.is_runtime
    )


def is_mangled(symbol: str) -> bool:
    return symbol.startswith("_Z") and "3tvm3ffi" in symbol


def unresolved(wheel: Wheel, library: Library, finding: Finding) -> bool:
    symbol = finding["symbol"]
    return symbol in library.undefined and not provided(wheel, library, symbol, True)


def mangled(wheel: Wheel, library: Library, finding: Finding) -> bool:
    symbol = finding["symbol"]
    return (
        is_mangled(symbol)
        and symbol in library.undefined
        and not provided(wheel, library, symbol, False)
    )


def names_with(letters: str, wheel: Wheel, library: Library, finding: Finding) -> bool:
    del wheel
    return library.letters.get(finding["symbol"], "-") in letters


def has_rpath(wheel: Wheel, library: Library, finding: Finding) -> bool:
    del wheel
    folders = [f for kind in ("RPATH", "RUNPATH") for p in library.tags(kind) for f in p.split(":")]
    return finding["symbol"] in folders and not finding["symbol"].startswith("$ORIGIN")


def stack_unmarked(wheel: Wheel, library: Library, finding: Finding) -> bool:
    del wheel, finding
    return "GNU_STACK" not in library.segments and ".note.GNU-stack" not in library.segments


def not_needed(wheel: Wheel, library: Library, finding: Finding) -> bool:
    del finding
    linked = wheel.linked(library)
    named = any(name.startswith("libtvm_ffi.so") for name in library.tags("NEEDED"))
    return (
        bool(library.imported & functions())
        and not named
        and not any(one.is_runtime for one in linked)
    )


def above_2_28(wheel: Wheel, library: Library, finding: Finding) -> bool:
    del wheel, finding
    limits = {"GLIBC": (2, 28), "GLIBCXX": (3, 4, 25), "CXXABI": (1, 3, 11)}
    return any(library.floor(kind) > limit for kind, limit in limits.items())


def above_tag(wheel: Wheel, library: Library, finding: Finding) -> bool:
    kind, needs = re.search(r"it needs (GLIBC|GLIBCXX) ([0-9.]+)", finding["detail"]).groups()
    needs = needs.removesuffix(".0") if kind == "GLIBC" else needs
    told = ".".join(map(str, library.floor(kind))) == needs
    return told and (wheel.audited is None or wheel.audited > wheel.glibc())


def stale(wheel: Wheel, library: Library, finding: Finding) -> bool:
    del wheel
    return finding["symbol"] in library.imported and finding["symbol"] not in functions()


def runtime_inside(wheel: Wheel, library: Library, finding: Finding) -> bool:
    del finding
    return library.is_runtime and wheel.name != RUNTIME


def has_text(text: bytes, wheel: Wheel, library: Library, finding: Finding) -> bool:
    del wheel, finding
    return text in library.path.read_bytes()


def in_full_table(wheel: Wheel, library: Library, finding: Finding) -> bool:
    del wheel
    return finding["symbol"] in library.all_names


def unknown_function(wheel: Wheel, library: Library, finding: Finding) -> bool:
    del wheel
    symbol = finding["symbol"]
    return library.is_runtime and symbol in library.defined and symbol not in functions()


def former_runtime(wheel: Wheel, library: Library, finding: Finding) -> bool:
    del wheel, finding
    return "TVMFFIObjectFree" in library.defined and "TVMFFIObjectDecRef" not in library.defined


def incomplete(wheel: Wheel, library: Library, finding: Finding) -> bool:
    del wheel, finding
    return library.is_runtime and not released()["0.1.0"] <= library.defined


def allocator(wheel: Wheel, library: Library, finding: Finding) -> bool:
    del wheel
    return "TVMFFIGetCustomAllocator" in library.imported and finding["symbol"] in library.all_names


def not_required(wheel: Wheel, library: Library, finding: Finding) -> bool:
    del finding
    return not wheel.requirements() and bool(library.imported & functions())


def requires_too_little(wheel: Wheel, library: Library, finding: Finding) -> bool:
    return finding["detail"] is not None and too_old(wheel, library)


WITNESSES: dict[str, Callable[[Wheel, Library, Finding], bool]] = {
    "symbols.unresolved": unresolved,
    "symbols.unknown-api": unresolved,
    "symbols.mangled-tvm-ffi": mangled,
    "symbols.no-version": unresolved,
    "symbols.stale-import": stale,
    "exports.leaked": partial(names_with, "TDRBV"),
    "exports.unique": partial(names_with, "u"),
    "exports.tvm-ffi-cxx": partial(names_with, "TDRBVWu"),
    "linking.fixed-rpath": has_rpath,
    "linking.libtvm-ffi-not-needed": not_needed,
    "cxx.old-error-layout": in_full_table,
    "cxx.old-key-functions": partial(has_text, KEY_CHECK),
    "cxx.custom-allocator": allocator,
    "floors.above-manylinux-2-28": above_2_28,
    "elf.stack-unmarked": stack_unmarked,
    "runtime.unknown-function": unknown_function,
    "runtime.generation-2025-09": former_runtime,
    "runtime.incomplete": incomplete,
    "wheel.bundled-runtime": runtime_inside,
    "wheel.above-tag": above_tag,
    "wheel.requires-too-little": requires_too_little,
    "wheel.runtime-not-required": not_required,
}


# --- What has to be a finding --------------------------------------------------------------------


def too_old(wheel: Wheel, library: Library) -> bool:
    """Whether a release that the wheel accepts lacks a function that the library imports."""
    required = wheel.requirements()
    return bool(required) and any(
        library.imported & functions() - there
        for version, there in released().items()
        if all(one.specifier.contains(version, prereleases=False) for one in required)
    )


@cache
def released() -> dict[str, set[str]]:
    """The functions of every release that an installer brings unasked."""
    tables = abi_tables.read(TABLES)
    return {
        one.version: Expectation(
            tables, one.reports, tables.exceptions.get(one.version, {})
        ).functions()
        for one in tables.releases.values()
        if not (one.candidate or one.yanked)
    }


def due(wheel: Wheel, members: Iterable[str]) -> Iterator[tuple[str, str, str | None]]:
    """What the witnesses see by themselves: member, finding, symbol."""
    for member in members:
        library = wheel.library(member)
        for symbol in library.undefined:
            if is_mangled(symbol) and not provided(wheel, library, symbol, False):
                yield member, "symbols.mangled-tvm-ffi", symbol
            unknown = symbol.startswith("TVMFFI") and symbol not in functions()
            if unknown and not provided(wheel, library, symbol, True):
                yield member, "symbols.unknown-api", symbol
        if library.is_runtime and wheel.name != RUNTIME:
            yield member, "wheel.bundled-runtime", None
        if "DYN (Shared" in library.header and too_old(wheel, library):
            yield member, "wheel.requires-too-little", None


STALE_TOO = "symbols.stale-import"  # said of an unknown name that was known once


@dataclass
class Outcome:
    wheel: str
    libraries: int = 0
    findings: Counter = field(default_factory=Counter)
    errors: int = 0
    complaints: list[str] = field(default_factory=list)


def missing(wheel: Wheel, found: dict[str, list[Finding]]) -> Iterator[str]:
    for member, kind, symbol in due(wheel, found):
        seen = {(one["id"], one["symbol"]) for one in found[member]}
        if (kind, symbol) not in seen and (STALE_TOO, symbol) not in seen:
            full = sum(one["id"] == kind for one in found[member]) >= 200
            if not full:
                yield f"{member}: no finding {kind} {symbol or ''}"
    tagged = any(one["id"] == "wheel.above-tag" for said in found.values() for one in said)
    promised = wheel.glibc()
    if promised and wheel.audited and (wheel.audited > promised) != tagged:
        yield f"auditwheel says {wheel.audited}, the tag {promised}, inspect {tagged}"


def check(tool: str, path: Path) -> Outcome:
    outcome = Outcome(path.name)
    document = json.loads(said(tool, "inspect", "-q", "--report", "json:-", path))
    outcome.complaints += [one["message"] for one in document["unreadable"]]
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
        wheel = Wheel(path, Path(folder))
        found = {one["path"].partition("!")[2]: one["findings"] for one in document["files"]}
        known = {
            one["path"].partition("!")[2]: one["findings"]
            for one in document["files"]
            if one["profile"] != "none" and one["kind"] == "shared library"
        }
        outcome.libraries = len(found)
        for member, findings in found.items():
            for one in findings:
                outcome.findings[one["id"]] += 1
                outcome.errors += one["level"] == "error"
                witness = WITNESSES.get(one["id"])
                if witness is None or not witness(wheel, wheel.library(member), one):
                    words = f"{one['id']} {one['symbol'] or ''} {one['detail'] or ''}"
                    outcome.complaints.append(f"{member}: nobody else sees {words}")
        outcome.complaints += missing(wheel, known)
        if wheel.name == RUNTIME and outcome.errors:
            outcome.complaints.append(f"{outcome.errors} errors in an official wheel")
    return outcome


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description="Compare the findings of `inspect` in wheels with nm, readelf and auditwheel.",
        epilog="Exit status: 0 they agree, 1 they do not, 2 usage, 77 too few wheels.",
    )
    parser.add_argument("tool", metavar="TOOL", help="tvmffi-conform")
    parser.add_argument("wheels", nargs="+", type=Path, metavar="WHEEL")
    parser.add_argument("--least", type=int, default=1, metavar="N", help="wheels to be checked")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    options = parser.parse_args(arguments)
    wheels = [path for path in options.wheels if path.is_file()]
    with ProcessPoolExecutor(options.jobs) as pool:
        outcomes = []
        for one in pool.map(partial(check, options.tool), wheels):
            outcomes.append(one)
            if one.complaints:
                print(one.wheel, *one.complaints[:20], sep="\n  ", flush=True)
    total = sum((one.findings for one in outcomes), Counter())
    for kind, count in sorted(total.items()):
        print(f"{count:7}  {kind}")
    bad = sum(len(one.complaints) for one in outcomes)
    libraries = sum(one.libraries for one in outcomes)
    print(
        f"{len(outcomes)} wheels with {libraries} libraries: {sum(total.values())} findings, "
        f"{bad} seen otherwise"
    )
    if bad:
        return 1
    return 0 if len(outcomes) >= options.least else SKIPPED


if __name__ == "__main__":
    sys.exit(main())

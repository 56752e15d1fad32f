# SPDX-License-Identifier: Apache-2.0
"""What a shared object shows, as pyelftools and readelf read it: two witnesses for inspect."""

from __future__ import annotations

import io
import os
import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.construct import ConstructError
from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerDefSection, GNUVerNeedSection, GNUVerSymSection
from elftools.elf.sections import Symbol

# Version indices of the dynamic symbols: hidden from others, and of no version.
LOCAL, GLOBAL = 0, 1
HIDDEN_BIT = 0x8000
GLOBAL_BINDINGS = ("STB_GLOBAL", "STB_WEAK", "STB_LOOS")
UNNUMBERED = {"GLIBC_ABI_DT_RELR": "GLIBC_2.36"}
VISIBLE = ("STV_DEFAULT", "STV_PROTECTED")


class Unreadable(Exception):
    """The witness can't read the file; the message says why."""


@dataclass(frozen=True)
class DynamicFacts:
    """`imports` and `exports` hold "name@version", or "name" where there is no version.

    Absolute symbols are counted, but not among `exports`: linkers name versions by them, and each
    reader shows these in a way of its own.
    """

    bits: int
    byte_order: str
    soname: str
    runpath: str
    rpath: str
    needed: tuple[str, ...]
    needed_versions: frozenset[str]
    imports: frozenset[str]
    exports: frozenset[str]
    export_count: int

    def differences(self, other: DynamicFacts) -> Iterator[str]:
        """Where `other` says something else, one line each."""
        for one in fields(self):
            yield from difference(one.name, getattr(self, one.name), getattr(other, one.name))

    def floors(self) -> dict[str, tuple[int, ...]]:
        """The highest numbered version of each kind that is needed: GLIBC, GLIBCXX, CXXABI.

        Packed relative relocations need the loader of glibc 2.36, which a version without a number
        stands for.
        """
        found: dict[str, tuple[int, ...]] = {}
        for name in self.needed_versions:
            name = UNNUMBERED.get(name, name)
            match = re.fullmatch(r"(GLIBC|GLIBCXX|CXXABI)_([0-9]+(?:\.[0-9]+)*)", name)
            if match:
                version = tuple(int(part) for part in match[2].split("."))
                found[match[1]] = max(found.get(match[1], ()), version)
        return found


def difference(what: str, mine: object, theirs: object) -> Iterator[str]:
    if mine == theirs:
        return
    if isinstance(mine, frozenset):
        here, there = shown(mine - theirs), shown(theirs - mine)
        yield f"{what}: only here {here}, only there {there}"
    else:
        yield f"{what}: {mine!r} here, {theirs!r} there"


def shown(names: Iterable[str]) -> str:
    ordered = sorted(names)
    return f"{len(ordered)} {ordered[:5]}"


def by_pyelftools(content: bytes) -> DynamicFacts:
    """Raises Unreadable where the file has no dynamic section or is broken."""
    try:
        return read_with_pyelftools(ELFFile(io.BytesIO(content)))
    except (ELFError, ConstructError, KeyError, StopIteration, UnicodeDecodeError) as error:
        raise Unreadable(f"pyelftools: {error!r}") from error


def read_with_pyelftools(file: ELFFile) -> DynamicFacts:
    dynamic = next(one for one in file.iter_sections() if isinstance(one, DynamicSection))
    tags: dict[str, list[str]] = {}
    for tag in dynamic.iter_tags():
        for name in ("needed", "soname", "runpath", "rpath"):
            if tag.entry.d_tag == "DT_" + name.upper():
                tags.setdefault(name, []).append(getattr(tag, name))
    imports, exports, count = set(), set(), 0
    for symbol, version in versioned_symbols(file):
        name = f"{symbol.name}@{version}" if version else symbol.name
        if symbol["st_info"]["bind"] not in GLOBAL_BINDINGS:
            continue
        if symbol["st_shndx"] == "SHN_UNDEF":
            imports.add(name)
        elif symbol["st_other"]["visibility"] in VISIBLE and version is not None:
            count += 1
            if symbol["st_shndx"] != "SHN_ABS":
                exports.add(name)
    return DynamicFacts(
        bits=file.elfclass,
        byte_order="little" if file.little_endian else "big",
        soname=(tags.get("soname") or [""])[0],
        runpath=(tags.get("runpath") or [""])[0],
        rpath=(tags.get("rpath") or [""])[0],
        needed=tuple(tags.get("needed", ())),
        needed_versions=frozenset(needed_versions(file).values()),
        imports=frozenset(imports),
        exports=frozenset(exports),
        export_count=count,
    )


def versioned_symbols(file: ELFFile) -> Iterator[tuple[Symbol, str | None]]:
    """The dynamic symbols but the first; None for what the version table calls local."""
    table = file.get_section_by_name(".dynsym")
    if table is None:
        return
    names = version_names(file)
    indices = next((one for one in file.iter_sections() if isinstance(one, GNUVerSymSection)), None)
    for i, symbol in enumerate(table.iter_symbols()):
        if i == 0:
            continue
        if indices is None:
            yield symbol, ""
            continue
        index = indices.get_symbol(i).entry["ndx"]
        index = {"VER_NDX_LOCAL": LOCAL, "VER_NDX_GLOBAL": GLOBAL}.get(index, index)
        yield symbol, None if index == LOCAL else names.get(index & ~HIDDEN_BIT, "")


def needed_versions(file: ELFFile) -> dict[int, str]:
    names: dict[int, str] = {}
    for section in file.iter_sections():
        if isinstance(section, GNUVerNeedSection):
            for _, versions in section.iter_versions():
                names |= {one["vna_other"] & ~HIDDEN_BIT: one.name for one in versions}
    return names


def version_names(file: ELFFile) -> dict[int, str]:
    """Of what is needed and of what the file defines, by index."""
    names = needed_versions(file)
    for section in file.iter_sections():
        if isinstance(section, GNUVerDefSection):
            for definition, versions in section.iter_versions():
                names[definition["vd_ndx"]] = next(versions).name
    names.pop(GLOBAL, None)
    return names


def by_readelf(path: Path, readelf: str = "readelf") -> DynamicFacts:
    """Raises Unreadable where readelf ends with an error."""
    done = subprocess.run(
        [readelf, "-W", "-h", "-d", "--dyn-syms", "-V", str(path)],
        capture_output=True,
        text=True,
        errors="replace",
        env={**os.environ, "LC_ALL": "C"},
        check=False,
    )
    if done.returncode != 0:
        raise Unreadable(f"readelf: {done.stderr.strip()[:200]}")
    tags = {"NEEDED": [], "SONAME": [], "RUNPATH": [], "RPATH": []}
    for match in re.finditer(
        r"\((NEEDED|SONAME|RUNPATH|RPATH)\) +[^[]*\[(.*)\]$", done.stdout, re.M
    ):
        tags[match[1]].append(match[2])
    imports, exports, count = readelf_symbols(done.stdout)
    needs = done.stdout.partition("Version needs section")[2]
    return DynamicFacts(
        bits=64 if re.search(r"^ +Class: +ELF64$", done.stdout, re.M) else 32,
        byte_order="little" if "2's complement, little endian" in done.stdout else "big",
        soname=(tags["SONAME"] or [""])[0],
        runpath=(tags["RUNPATH"] or [""])[0],
        rpath=(tags["RPATH"] or [""])[0],
        needed=tuple(tags["NEEDED"]),
        needed_versions=frozenset(re.findall(r"^ +0x[0-9a-f]+: +Name: (\S+) +Flags", needs, re.M)),
        imports=frozenset(imports),
        exports=frozenset(exports),
        export_count=count,
    )


SYMBOL = re.compile(
    r"^ *\d+: [0-9a-f]+ +\S+ \S+ +(?:GLOBAL|WEAK|UNIQUE|<OS specific>: 10) +"
    r"(?P<visibility>DEFAULT|PROTECTED|HIDDEN|INTERNAL) +(?:\[.*?\] +)?(?P<section>\S+) "
    r"(?P<name>\S+)",
    re.M,
)


def readelf_symbols(said: str) -> tuple[set[str], set[str], int]:
    imports, exports, count = set(), set(), 0
    for match in SYMBOL.finditer(said):
        name, _, version = match["name"].partition("@")
        full = f"{name}@{version.lstrip('@')}" if version.lstrip("@") else name
        if match["section"] == "UND":
            imports.add(full)
        elif match["visibility"] in ("DEFAULT", "PROTECTED"):
            count += 1
            if match["section"] != "ABS":
                exports.add(full)
    return imports, exports, count

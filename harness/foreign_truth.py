# SPDX-License-Identifier: Apache-2.0
"""What a Mach-O or PE file shows, as LIEF and pefile read it: witnesses for inspect."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import lief
import pefile

MACHO_MAGICS = (b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\xfe\xed\xfa\xcf", b"\xfe\xed\xfa\xce")
UNIVERSAL_MAGICS = (b"\xca\xfe\xba\xbe", b"\xca\xfe\xba\xbf")
LOADED = ("LOAD_DYLIB", "LOAD_WEAK_DYLIB", "REEXPORT_DYLIB", "LAZY_LOAD_DYLIB", "LOAD_UPWARD_DYLIB")
WEAK_LOOKUP = -3


@dataclass(frozen=True)
class ForeignFacts:
    """`imports` are pairs of a name and the library that it is looked up in, "" for none."""

    name: str  # the install name, or that of the DLL
    needed: tuple[str, ...]
    imports: frozenset[tuple[str, str]]
    exports: frozenset[str]  # names; those of Mach-O without their underscore
    more: dict[str, object]


def is_foreign(data: bytes) -> bool:
    return data[:4] in MACHO_MAGICS + UNIVERSAL_MAGICS or data[:2] == b"MZ"


def plain(name: str) -> str:
    return name.removeprefix("_")


# --- Mach-O


def version(numbers: Any) -> str | None:
    parts = list(numbers)
    text = ".".join(map(str, parts[:2])) + (f".{parts[2]}" if len(parts) > 2 and parts[2] else "")
    return None if not any(parts) else text


def macho_imports(file: lief.MachO.Binary, exports: set[str]) -> frozenset[tuple[str, str]]:
    libraries = [one.name for one in file.commands if one.command.name in LOADED]
    found = set()
    for one in file.bindings:
        if not one.has_symbol:
            continue
        kind = getattr(one, "binding_class", None)
        if kind is not None and kind.name == "WEAK":
            continue
        ordinal = one.library_ordinal
        if ordinal == WEAK_LOOKUP and one.symbol.name in exports:
            continue
        library = libraries[ordinal - 1] if 0 < ordinal <= len(libraries) else ""
        found.add((plain(one.symbol.name), library))
    return frozenset(found)


def system_of(file: lief.MachO.Binary) -> str | None:
    if file.has_build_version:
        return version(file.build_version.minos)
    return version(file.version_min.version) if file.has_version_min else None


def of_macho(file: lief.MachO.Binary) -> ForeignFacts:
    names = {one.symbol.name for one in file.dyld_info.exports} if file.has_dyld_info else set()
    if file.has_dyld_exports_trie:
        names |= {one.symbol.name for one in file.dyld_exports_trie.exports}
    return ForeignFacts(
        name=next((one.name for one in file.commands if one.command.name == "ID_DYLIB"), ""),
        needed=tuple(one.name for one in file.commands if one.command.name in LOADED),
        imports=macho_imports(file, names),
        exports=frozenset(map(plain, names)),
        more={
            "macho.rpaths": [one.path for one in file.rpaths],
            "macho.signed": file.has_code_signature,
            "macho.minimum_system": system_of(file),
            "build_id": bytes(file.uuid.uuid).hex() if file.has_uuid else None,
        },
    )


# --- PE


def text(value: bytes | None) -> str:
    return (value or b"").decode("utf-8", "replace")


def of_pe(data: bytes) -> ForeignFacts:
    file = pefile.PE(data=data, max_symbol_exports=1 << 20)
    imports, needed, numbers = set(), [], 0
    delayed = []
    for table in ("DIRECTORY_ENTRY_IMPORT", "DIRECTORY_ENTRY_DELAY_IMPORT"):
        for library in getattr(file, table, []):
            needed.append(text(library.dll))
            if table.endswith("DELAY_IMPORT"):
                delayed.append(text(library.dll))
            for one in library.imports:
                numbers += one.import_by_ordinal or False
                if one.name is not None and not one.import_by_ordinal:
                    imports.add((text(one.name), text(library.dll)))
    directory = getattr(file, "DIRECTORY_ENTRY_EXPORT", None)
    symbols = directory.symbols if directory else []
    return ForeignFacts(
        name=text(directory.name) if directory else "",
        needed=tuple(needed),
        imports=frozenset(imports),
        exports=frozenset(text(one.name) for one in symbols if one.name is not None),
        more={
            "pe.forwarders": sum(one.forwarder is not None for one in symbols),
            "pe.exports_by_number": sum(one.name is None for one in symbols),
            "pe.imports_by_number": numbers,
            "pe.delayed": delayed,
        },
    )


def parts(data: bytes) -> Iterator[tuple[str, ForeignFacts]]:
    """What `inspect` has after "!" in the path of each part, "" for a file that has none."""
    if data[:2] == b"MZ":
        yield "", of_pe(data)
        return
    fat = lief.MachO.parse(list(data))
    for index in range(fat.size if fat else 0):
        file = fat.at(index)
        universal = data[:4] in UNIVERSAL_MAGICS
        cpu = {"X86_64": "x86-64", "ARM64": "arm64"}.get(file.header.cpu_type.name, "")
        yield (f"!{cpu}" if universal else ""), of_macho(file)

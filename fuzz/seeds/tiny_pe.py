# SPDX-License-Identifier: Apache-2.0
"""PE files of a few kilobytes, written from lists of exports and imports."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

X86_64, ARM64, I386 = 0x8664, 0xAA64, 0x14C
DLL, RELOCATIONS_STRIPPED = 0x2022, 1
USUAL = 0x0160  # loaded anywhere, data are not executed
TEXT, RDATA, DATA = 0x1000, 0x2000, 0x4000  # in memory
CODE, CONSTANT, VARIABLE = 0x60000020, 0x40000040, 0xC0000040


@dataclass(frozen=True)
class Export:
    name: str  # "": by number only
    section: str = "text"
    data: bytes = bytes(16)
    forwarder: str = ""


@dataclass
class Pe:
    exports: Sequence[Export] = ()
    imports: Sequence[tuple[str, Sequence[str | int]]] = ()  # a number: by ordinal
    delayed: Sequence[tuple[str, Sequence[str | int]]] = ()
    name: str = "made.dll"
    machine: int = X86_64
    flags: int = DLL
    dll_flags: int = USUAL
    text_flags: int = CODE
    wide: bool = True
    sorted: bool = True
    base: int = 1
    extra: bytes = b""  # constant data
    constants: bytes = b""
    contents: dict[str, bytes] = field(default_factory=dict)

    def keep(self, data: bytes, align: int = 1) -> int:
        """Puts constant data into the file; where they are in memory."""
        self.constants += bytes(-len(self.constants) % align)
        self.constants += data
        return RDATA + len(self.constants) - len(data)

    def text(self, value: str) -> int:
        return self.keep(value.encode() + b"\0")

    def thunks(self, names: Sequence[str | int]) -> int:
        width = 8 if self.wide else 4
        values = []
        for name in names:
            if isinstance(name, int):
                values.append(1 << (8 * width - 1) | name)
            else:
                values.append(self.keep(b"\0\0" + name.encode() + b"\0", 2))
        form = "<Q" if self.wide else "<I"
        return self.keep(b"".join(struct.pack(form, value) for value in [*values, 0]), 8)

    def import_directory(self) -> tuple[int, int]:
        rows = [(self.thunks(names), self.text(library)) for library, names in self.imports]
        table = b"".join(
            struct.pack("<IIIII", names, 0, 0, library, names) for names, library in rows
        )
        return (self.keep(table + bytes(20), 4), len(table) + 20) if rows else (0, 0)

    def delay_directory(self) -> tuple[int, int]:
        rows = [(self.thunks(names), self.text(library)) for library, names in self.delayed]
        table = b"".join(
            struct.pack("<IIIIIIII", 1, library, DATA, DATA, names, 0, 0, 0)
            for names, library in rows
        )
        return (self.keep(table + bytes(32), 4), len(table) + 32) if rows else (0, 0)

    def export_directory(self) -> tuple[int, int]:
        """The texts of forwarders have to lie within it."""
        if not self.exports:
            return 0, 0
        constant = {
            index: self.keep(one.data, 8)
            for index, one in enumerate(self.exports)
            if one.section == "rdata"
        }
        begin = self.keep(bytes(40), 4)
        at = begin - RDATA
        addresses = b""
        for index, one in enumerate(self.exports):
            if one.forwarder:
                addresses += struct.pack("<I", self.text(one.forwarder))
                continue
            address = {"text": TEXT, "data": DATA}.get(one.section, 0) + len(
                self.contents[one.section]
            )
            if one.section == "rdata":
                address = constant[index]
            else:
                self.contents[one.section] += one.data
            addresses += struct.pack("<I", address)
        named = [(one.name, index) for index, one in enumerate(self.exports) if one.name]
        if self.sorted:
            named.sort()
        names = b"".join(struct.pack("<I", self.text(name)) for name, _ in named)
        values = (
            0,
            0,
            0,
            self.text(self.name),
            self.base,
            len(self.exports),
            len(named),
            self.keep(addresses, 4),
            self.keep(names, 4),
            self.keep(b"".join(struct.pack("<H", index) for _, index in named), 4),
        )
        head = struct.pack("<10I", *values)
        self.constants = self.constants[:at] + head + self.constants[at + 40 :]
        return begin, RDATA + len(self.constants) - begin

    def debug_directory(self) -> tuple[int, int]:
        place = self.keep(b"RSDS" + bytes(range(16)) + struct.pack("<I", 1) + b"made.pdb\0", 4)
        entry = struct.pack("<IIHHIIII", 0, 0, 0, 0, 2, 33, place, place - RDATA + 0x600)
        return self.keep(entry, 4), len(entry)

    def write(self) -> bytes:
        self.contents = {"text": b"", "data": b"", "rdata": b""}
        self.constants = b""
        directories = [(0, 0)] * 16
        directories[0] = self.export_directory()
        directories[1] = self.import_directory()
        directories[6] = self.debug_directory()
        directories[13] = self.delay_directory()
        self.keep(self.extra)
        contents = {
            TEXT: self.contents["text"] or b"\xc3",
            RDATA: self.constants,
            DATA: self.contents["data"],
        }
        flags = {TEXT: self.text_flags, RDATA: CONSTANT, DATA: VARIABLE}
        sections, bodies, at = b"", b"", 0x400
        for (address, body), name in zip(
            contents.items(), (b".text", b".rdata", b".data"), strict=True
        ):
            at = 0x600 if address == RDATA else at
            raw = body + bytes(-len(body) % 0x200)
            sections += name.ljust(8, b"\0") + struct.pack(
                "<IIIIIIHHI",
                max(len(body), 1),
                address,
                len(raw),
                at if raw else 0,
                0,
                0,
                0,
                0,
                flags[address],
            )
            bodies += raw.ljust(0x200, b"\0") if address == TEXT else raw
            at += len(raw)
        optional = struct.pack("<HBBIIII", 0x20B if self.wide else 0x10B, 14, 40, 0x200, 0, 0, 0)
        optional += struct.pack("<I", TEXT)
        optional += (
            struct.pack("<Q", 0x180000000) if self.wide else struct.pack("<II", DATA, 0x10000000)
        )
        optional += struct.pack(
            "<IIHHHHHHIIIIHH",
            0x1000,
            0x200,
            6,
            0,
            0,
            0,
            6,
            0,
            0,
            0x5000,
            0x400,
            0,
            2,
            self.dll_flags,
        )
        optional += struct.pack(
            "<QQQQ" if self.wide else "<IIII", 1 << 20, 1 << 12, 1 << 20, 1 << 12
        )
        optional += struct.pack("<II", 0, 16) + b"".join(
            struct.pack("<II", *one) for one in directories
        )
        head = b"MZ".ljust(0x3C, b"\0") + struct.pack("<I", 0x40)
        head += b"PE\0\0" + struct.pack(
            "<HHIIIHH", self.machine, 3, 0, 0, 0, len(optional), self.flags
        )
        return (head + optional + sections).ljust(0x400, b"\0") + bodies

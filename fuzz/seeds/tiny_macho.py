# SPDX-License-Identifier: Apache-2.0
"""Mach-O files of a few hundred bytes, of any word size and byte order, written from symbols."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

X86_64, ARM64, I386, PPC = 0x01000007, 0x0100000C, 7, 18
OBJECT, EXECUTE, DYLIB, BUNDLE, DSYM = 1, 2, 6, 8, 10
LOAD, WEAK_LIBRARY, REEXPORT = 0xC, 0x80000018, 0x8000001F
FLAT, WEAK_LOOKUP = -2, -3
WEAK_DEFINITION, REEXPORTED = 4, 8
BASE, PAGE, TEXT = 0x4000, 0x800, 0x600
SECTIONS = ("text", "const", "data", "bss")
PURE_INSTRUCTIONS, ZEROFILL = 0x80000400, 1


@dataclass(frozen=True)
class Export:
    name: str  # without the underscore
    section: str = "text"
    data: bytes = bytes(16)
    flags: int = 0
    ordinal: int = 0  # of a re-export


@dataclass(frozen=True)
class Import:
    name: str
    ordinal: int = 1
    weak: bool = False


@dataclass
class Macho:
    exports: Sequence[Export] = ()
    imports: Sequence[Import] = ()
    libraries: Sequence[tuple[int, str]] = ()
    hidden: Sequence[Export] = ()
    rpaths: Sequence[str] = ()
    name: str = ""
    cpu: int = X86_64
    subtype: int = 3
    type: int = DYLIB
    flags: int = 0x80
    binding: str = "opcodes"  # "chained", "symbols"
    chained_format: int = 1
    platform: tuple[int, int] | None = (1, 0x000B0000)
    signature: bytes = b"\xfa\xde\x0c\xc0" + bytes(12)
    text_protection: int = 5
    wide: bool = True
    order: str = "<"
    trie: bytes | None = None  # in place of the one that the exports have
    codes: bytes | None = None  # the same of the opcodes for binding
    extra: Sequence[tuple[int, bytes]] = ()  # load commands
    contents: dict[str, bytes] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)

    def pack(self, form: str, *values: int) -> bytes:
        return struct.pack(self.order + form, *values)

    def word(self, *values: int) -> bytes:
        return self.pack(("Q" if self.wide else "I") * len(values), *values)

    # --- Parts

    def lay_out(self) -> None:
        """Puts every definition into its section; addresses follow."""
        self.contents = dict.fromkeys(SECTIONS, b"")
        for one in [*self.exports, *self.hidden]:
            if not one.flags & REEXPORTED:
                self.places[one.name] = len(self.contents[one.section])
                self.contents[one.section] += one.data

    def offset(self, section: str) -> int:
        """In the file; in memory with BASE added. bss has a page of its own behind the others."""
        behind = {
            "text": TEXT,
            "const": TEXT + len(self.contents["text"]),
            "data": PAGE,
        }
        return behind.get(section, PAGE + 0x400)

    def address(self, one: Export) -> int:
        return BASE + self.offset(one.section) + self.places[one.name]

    def segment(
        self, name: str, at: int, size: int, protection: int, sections: Sequence[str]
    ) -> bytes:
        body = name.encode().ljust(16, b"\0")
        in_file = 0 if self.type == DSYM else size
        body += self.word(BASE + at if name != "__LINKEDIT" else BASE + 2 * PAGE, size, at, in_file)
        body += self.pack("IIII", protection, protection, len(sections), 0)
        for section in sections:
            flags = {"text": PURE_INSTRUCTIONS, "bss": ZEROFILL}.get(section, 0)
            body += b"__" + section.encode().ljust(14, b"\0") + name.encode().ljust(16, b"\0")
            body += self.word(BASE + self.offset(section), len(self.contents[section]))
            body += self.pack("IIIIIII", self.offset(section), 0, 0, 0, flags, 0, 0)
            body += self.pack("I", 0) if self.wide else b""
        return self.command(0x19 if self.wide else 1, body)

    def command(self, kind: int, body: bytes) -> bytes:
        body += bytes(-len(body) % 8)
        return self.pack("II", kind, len(body) + 8) + body

    def library(self, kind: int, name: str) -> bytes:
        return self.command(
            kind, self.pack("IIII", 24, 2, 0x10000, 0x10000) + name.encode() + b"\0"
        )

    def export_trie(self) -> bytes:
        """One level: the root with a child for each name."""
        if self.trie is not None:
            return self.trie
        children = []
        for one in self.exports:
            if one.flags & REEXPORTED:
                body = uleb(one.flags) + uleb(one.ordinal) + b"\0"
            else:
                body = uleb(one.flags) + uleb(self.address(one) - BASE)
            children.append((f"_{one.name}".encode() + b"\0", uleb(len(body)) + body + b"\0"))
        # The places of children have two bytes each.
        size = 2 + sum(len(label) + 2 for label, _ in children)
        root, nodes = bytes([0, len(children)]), b""
        for label, node in children:
            at = size + len(nodes)
            root += label + bytes([at & 0x7F | 0x80, at >> 7])
            nodes += node
        return root + nodes

    def opcodes(self) -> bytes:
        if self.codes is not None:
            return self.codes
        code = b"\x51"
        for one in self.imports:
            code += (
                bytes([0x10 | one.ordinal])
                if one.ordinal >= 0
                else bytes([0x30 | one.ordinal & 15])
            )
            code += bytes([0x40 | one.weak]) + f"_{one.name}".encode() + b"\0\x72\x00\x90"
        return code + b"\0"

    def fixups(self) -> bytes:
        width = {1: 4, 2: 8, 3: 16}[self.chained_format]
        names, table = b"\0", b""
        for one in self.imports:
            if width == 16:
                number = one.ordinal & 0xFFFF | one.weak << 16 | len(names) << 32
                table += self.pack("QQ", number, 0)
            else:
                number = one.ordinal & 0xFF | one.weak << 8 | len(names) << 9
                table += self.pack("I", number) + bytes(width - 4)
            names += f"_{one.name}".encode() + b"\0"
        begin = 32
        head = self.pack(
            "IIIIIII",
            0,
            28,
            begin,
            begin + len(table),
            len(self.imports),
            self.chained_format,
            0,
        )
        return head + bytes(begin - len(head)) + table + names

    def symbols(self) -> tuple[bytes, bytes]:
        names, table = b"\0", b""
        rows = [
            (one.name, 0x0F, SECTIONS.index(one.section) + 1, 0, self.address(one))
            for one in self.exports
            if not one.flags & REEXPORTED
        ]
        rows += [
            (one.name, 0x1E, SECTIONS.index(one.section) + 1, 0, self.address(one))
            for one in self.hidden
        ]
        rows += [
            (one.name, 1, 0, (one.ordinal & 0xFF) << 8 | one.weak << 6, 0) for one in self.imports
        ]
        for name, kind, section, description, value in rows:
            table += self.pack("IBBH", len(names), kind, section, description) + self.word(value)
            names += f"_{name}".encode() + b"\0"
        return table, names

    # --- The file

    def write(self) -> bytes:
        self.lay_out()
        tail, places = b"", []
        table, names = self.symbols()
        parts = [
            self.export_trie(),
            self.opcodes(),
            self.fixups(),
            table,
            names,
            self.signature,
        ]
        for part in parts:
            places.append((2 * PAGE + len(tail), len(part)))
            tail += part + bytes(-len(part) % 8)
        trie, opcodes, fixups, symbols, strings, signature = places
        commands = [
            self.segment("__TEXT", 0, PAGE, self.text_protection, SECTIONS[:2]),
            self.segment("__DATA", PAGE, PAGE, 3, SECTIONS[2:]),
            self.segment("__LINKEDIT", 2 * PAGE, len(tail), 1, ()),
        ]
        if self.name:
            commands.append(self.library(0xD, self.name))
        if self.binding == "opcodes":
            places = [(0, 0), opcodes, (0, 0), (0, 0), trie]
            commands.append(
                self.command(0x80000022, b"".join(self.pack("II", *one) for one in places))
            )
        elif self.binding == "chained":
            commands.append(self.command(0x80000034, self.pack("II", *fixups)))
            commands.append(self.command(0x80000033, self.pack("II", *trie)))
        count = len(table) // (16 if self.wide else 12)
        commands.append(self.command(2, self.pack("IIII", symbols[0], count, *strings)))
        commands.append(self.command(0x1B, bytes(range(16))))
        if self.platform:
            commands.append(self.command(0x32, self.pack("IIII", *self.platform, 0x000E0000, 0)))
        commands += [self.library(kind, name) for kind, name in self.libraries]
        commands += [
            self.command(0x8000001C, self.pack("I", 12) + one.encode() + b"\0")
            for one in self.rpaths
        ]
        if self.signature:
            commands.append(self.command(0x1D, self.pack("II", *signature)))
        commands += [self.command(kind, content) for kind, content in self.extra]
        body = b"".join(commands)
        magic = 0xFEEDFACF if self.wide else 0xFEEDFACE
        head = self.pack(
            "IIIIIII",
            magic,
            self.cpu,
            self.subtype,
            self.type,
            len(commands),
            len(body),
            self.flags,
        )
        file = head + (self.pack("I", 0) if self.wide else b"") + body
        if len(file) > TEXT:
            raise ValueError("the load commands leave no room")
        for section in SECTIONS[:3]:
            file = file.ljust(self.offset(section), b"\0") + self.contents[section]
            if len(file) > (2 * PAGE if section == "data" else PAGE):
                raise ValueError(f"{section} leaves no room")
        return file.ljust(2 * PAGE, b"\0") + tail


def uleb(number: int) -> bytes:
    out = b""
    while number > 0x7F:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def universal(files: Sequence[tuple[int, int, bytes]], wide: bool = False) -> bytes:
    """Files of several processors in one: (processor, subtype, bytes)."""
    form, record = (">IIQQII", 32) if wide else (">IIIII", 20)
    head = struct.pack(">II", 0xCAFEBABF if wide else 0xCAFEBABE, len(files))
    at, table, bodies = 8 + record * len(files), b"", b""
    for cpu, subtype, body in files:
        at += -at % 64
        rest = (6, 0) if wide else (6,)
        table += struct.pack(form, cpu, subtype, at, len(body), *rest)
        bodies = bodies.ljust(at - 8 - record * len(files), b"\0") + body
        at += len(body)
    return head + table + bodies

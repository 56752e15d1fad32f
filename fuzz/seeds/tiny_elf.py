# SPDX-License-Identifier: Apache-2.0
"""Very small ELF shared objects of any machine, word size and byte order, with what inspect reads:
dynamic symbols with versions, hash table, needed libraries, segments, sections, data."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

PT_LOAD, PT_DYNAMIC, PT_GNU_STACK = 1, 2, 0x6474E551
SHT_PROGBITS, SHT_STRTAB, SHT_HASH, SHT_DYNAMIC, SHT_NOTE, SHT_DYNSYM = 1, 3, 5, 6, 7, 11
SHT_GNU_VERNEED, SHT_GNU_VERSYM = 0x6FFFFFFE, 0x6FFFFFFF
DT_NEEDED, DT_HASH, DT_STRTAB, DT_SYMTAB, DT_STRSZ, DT_SYMENT, DT_SONAME = 1, 4, 5, 6, 10, 11, 14
DT_RUNPATH, DT_VERSYM, DT_VERNEED, DT_VERNEEDNUM = 29, 0x6FFFFFF0, 0x6FFFFFFE, 0x6FFFFFFF
NOTYPE, OBJECT, FUNCTION = 0, 1, 2
GLOBAL, WEAK = 1, 2


@dataclass(frozen=True)
class Machine:
    """EM_* number, word size in bytes, and whether the least significant byte is first."""

    number: int
    word: int
    little: bool


X86_64 = Machine(62, 8, True)
AARCH64 = Machine(183, 8, True)
I386 = Machine(3, 4, True)
ARM = Machine(40, 4, True)
S390X = Machine(22, 8, False)
PPC = Machine(20, 4, False)


@dataclass(frozen=True)
class Symbol:
    """`data` None: undefined, and `version` names the version it is needed in, if any."""

    name: str
    kind: int = FUNCTION
    data: bytes | None = None
    version: str = ""
    binding: int = GLOBAL


@dataclass
class Library:
    machine: Machine
    symbols: list[Symbol]
    soname: str = ""
    runpath: str = ""
    needed: list[str] = field(default_factory=lambda: ["libc.so.6"])
    executable_stack: bool = False

    def build(self) -> bytes:
        return Builder(self).build()


@dataclass(frozen=True)
class Section:
    name: str
    kind: int
    flags: int
    offset: int
    size: int
    entry: int


class Strings:
    """A string table that grows."""

    def __init__(self) -> None:
        self.bytes = bytearray(b"\0")

    def add(self, text: str) -> int:
        if not text:
            return 0
        place = len(self.bytes)
        self.bytes += text.encode() + b"\0"
        return place


def elf_hash(name: str) -> int:
    value = 0
    for one in name.encode():
        value = (value << 4) + one
        high = value & 0xF0000000
        value = (value ^ high >> 24) & ~high
    return value


class Builder:
    """Lays one library out: addresses are offsets, one segment holds everything."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.order = "<" if library.machine.little else ">"
        self.wide = library.machine.word == 8
        self.strings = Strings()
        self.body = bytearray()
        self.base = (64 if self.wide else 52) + 3 * (56 if self.wide else 32)
        self.sections: list[Section] = []

    def pack(self, form: str, *values: int) -> bytes:
        """As struct.pack, where W is a word of the machine."""
        return struct.pack(self.order + form.replace("W", "Q" if self.wide else "I"), *values)

    def place(self, content: bytes) -> int:
        self.body += bytes(-len(self.body) % 16)
        offset = self.base + len(self.body)
        self.body += content
        return offset

    def section(self, name: str, kind: int, content: bytes, entry: int = 0, flags: int = 2) -> int:
        offset = self.place(content)
        self.sections.append(Section(name, kind, flags, offset, len(content), entry))
        return offset

    def build(self) -> bytes:
        library = self.library
        needed = [self.strings.add(name) for name in library.needed]
        soname, runpath = self.strings.add(library.soname), self.strings.add(library.runpath)
        names = [self.strings.add(symbol.name) for symbol in library.symbols]
        versions = sorted({s.version for s in library.symbols if s.version})
        version_names = [self.strings.add(name) for name in versions]
        strings = self.section(".dynstr", SHT_STRTAB, bytes(self.strings.bytes))
        symbols = self.symbol_table(names)
        table = self.section(".dynsym", SHT_DYNSYM, symbols, 24 if self.wide else 16)
        dynamic = [(DT_NEEDED, one) for one in needed]
        dynamic += [(tag, one) for tag, one in ((DT_SONAME, soname), (DT_RUNPATH, runpath)) if one]
        hash_entry = struct.calcsize("<" + self.hash_word())
        dynamic.append((DT_HASH, self.section(".hash", SHT_HASH, self.hash_table(), hash_entry)))
        if versions:
            indices = b"".join(
                self.pack("H", self.version_index(s, versions)) for s in self.all_symbols()
            )
            dynamic.append((DT_VERSYM, self.section(".gnu.version", SHT_GNU_VERSYM, indices, 2)))
            needs = self.version_needs(needed[0], versions, version_names)
            dynamic.append((DT_VERNEED, self.section(".gnu.version_r", SHT_GNU_VERNEED, needs)))
            dynamic.append((DT_VERNEEDNUM, 1))
        dynamic += [(DT_STRTAB, strings), (DT_STRSZ, len(self.strings.bytes)), (DT_SYMTAB, table)]
        dynamic += [(DT_SYMENT, 24 if self.wide else 16), (0, 0)]
        packed = b"".join(self.pack("WW", tag, value) for tag, value in dynamic)
        where = self.section(".dynamic", SHT_DYNAMIC, packed, 16 if self.wide else 8, flags=3)
        return self.file(where, len(packed))

    def all_symbols(self) -> list[Symbol | None]:
        return [None, *self.library.symbols]

    def version_index(self, symbol: Symbol | None, versions: list[str]) -> int:
        if symbol is None:
            return 0
        return 2 + versions.index(symbol.version) if symbol.version else 1

    def version_needs(self, library: int, versions: list[str], names: list[int]) -> bytes:
        made = self.pack("HHIII", 1, len(versions), library, 16, 0)
        for i, (version, name) in enumerate(zip(versions, names)):
            following = 16 if i + 1 < len(versions) else 0
            made += self.pack("IHHII", elf_hash(version), 0, 2 + i, name, following)
        return made

    def symbol_table(self, names: list[int]) -> bytes:
        made = self.symbol(0, 0, 0, 0, 0)
        for name, one in zip(names, self.library.symbols):
            info = one.binding << 4 | one.kind
            if one.data is None:
                made += self.symbol(name, info, 0, 0, 0)
            else:
                section = len(self.sections) + 1
                flags = 3 if one.kind == OBJECT else 6
                where = self.section("." + one.name[:12], SHT_PROGBITS, one.data, flags=flags)
                made += self.symbol(name, info, section, where, len(one.data))
        return made

    def symbol(self, name: int, info: int, section: int, value: int, size: int) -> bytes:
        if self.wide:
            return self.pack("IBBHQQ", name, info, 0, section, value, size)
        return self.pack("IIIBBH", name, value, size, info, 0, section)

    def hash_word(self) -> str:
        """The hash table has words of 32 bits, but on 64-bit S/390."""
        return "Q" if self.library.machine == S390X else "I"

    def hash_table(self) -> bytes:
        """One bucket: every symbol is in its chain."""
        count = len(self.library.symbols) + 1
        first = 1 if count > 1 else 0
        words = [1, count, first, 0, *range(2, count), *([0] if count > 1 else [])]
        return self.pack(f"{len(words)}{self.hash_word()}", *words)

    def file(self, dynamic: int, dynamic_size: int) -> bytes:
        shstrings = Strings()
        headers = [self.section_header(0, Section("", 0, 0, 0, 0, 0), 0, 0)]
        places = {one.name: i for i, one in enumerate(self.sections, 1)}
        links = {SHT_HASH: ".dynsym", SHT_GNU_VERSYM: ".dynsym"}
        links |= dict.fromkeys((SHT_DYNSYM, SHT_DYNAMIC, SHT_GNU_VERNEED), ".dynstr")
        for one in self.sections:
            link = places[links[one.kind]] if one.kind in links else 0
            info = 1 if one.kind in (SHT_DYNSYM, SHT_GNU_VERNEED) else 0
            headers.append(self.section_header(shstrings.add(one.name), one, link, info))
        name = shstrings.add(".shstrtab")
        where = self.place(bytes(shstrings.bytes))
        last = Section(".shstrtab", SHT_STRTAB, 0, where, len(shstrings.bytes), 0)
        headers.append(self.section_header(name, last, 0, 0))
        table = self.place(b"".join(headers))
        size = self.base + len(self.body)
        return (
            self.header(table, len(headers))
            + self.segments(size, dynamic, dynamic_size)
            + bytes(self.body)
        )

    def section_header(self, name: int, one: Section, link: int, info: int) -> bytes:
        kind = self.pack("II", name, one.kind)
        place = self.pack("WWWW", one.flags, one.offset, one.offset, one.size)
        return kind + place + self.pack("IIWW", link, info, 1, one.entry)

    def header(self, sections: int, count: int) -> bytes:
        machine = self.library.machine
        ident = bytes(
            [0x7F, 0x45, 0x4C, 0x46, 2 if self.wide else 1, 1 if machine.little else 2, 1]
        )
        sizes = (64, 56, 64) if self.wide else (52, 32, 40)
        return ident.ljust(16, b"\0") + self.pack(
            "HHIWWWIHHHHHH", 3, machine.number, 1, 0, sizes[0], sections, 0,
            sizes[0], sizes[1], 3, sizes[2], count, count - 1,
        )  # fmt: skip

    def segments(self, size: int, dynamic: int, dynamic_size: int) -> bytes:
        stack = 7 if self.library.executable_stack else 6
        return (
            self.segment(PT_LOAD, 7, 0, size)
            + self.segment(PT_DYNAMIC, 6, dynamic, dynamic_size)
            + self.segment(PT_GNU_STACK, stack, 0, 0)
        )

    def segment(self, kind: int, flags: int, offset: int, size: int) -> bytes:
        if self.wide:
            return self.pack("IIQQQQQQ", kind, flags, offset, offset, offset, size, size, 16)
        return self.pack("IIIIIIII", kind, offset, offset, offset, size, size, flags, 16)

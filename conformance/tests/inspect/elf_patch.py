# SPDX-License-Identifier: Apache-2.0
"""Changes to 64-bit little-endian ELF files that no linker makes."""

from __future__ import annotations

import struct
from collections.abc import Iterator

PT_LOAD, PT_DYNAMIC = 1, 2
DT_NEEDED, DT_STRTAB, DT_SYMTAB, DT_DEBUG = 1, 5, 6, 21
DT_HASH, DT_GNU_HASH = 4, 0x6FFFFEF5
DT_VERSYM, DT_VERNEEDNUM = 0x6FFFFFF0, 0x6FFFFFFF
SHT_SYMTAB = 2
SYMBOL = struct.Struct("<IBBHQQ")


class Elf:
    """A file in memory, with what is needed to find a place in it."""

    def __init__(self, data: bytes) -> None:
        self.data = bytearray(data)

    def number(self, offset: int, form: str) -> int:
        return int(struct.unpack_from("<" + form, self.data, offset)[0])

    def put(self, offset: int, form: str, value: int) -> None:
        struct.pack_into("<" + form, self.data, offset, value)

    def segments(self) -> Iterator[int]:
        table, count = self.number(32, "Q"), self.number(56, "H")
        return (table + 56 * i for i in range(count))

    def sections(self) -> Iterator[int]:
        table, count = self.number(40, "Q"), self.number(60, "H")
        return (table + 64 * i for i in range(count))

    def offset_of(self, address: int) -> int:
        for segment in self.segments():
            begin, size = self.number(segment + 16, "Q"), self.number(segment + 32, "Q")
            if self.number(segment, "I") == PT_LOAD and begin <= address < begin + size:
                return address - begin + self.number(segment + 8, "Q")
        raise LookupError(f"no byte at {address:#x}")

    def entries(self) -> Iterator[int]:
        """Where each entry of the dynamic section is."""
        for segment in self.segments():
            if self.number(segment, "I") != PT_DYNAMIC:
                continue
            at = self.number(segment + 8, "Q")
            while self.number(at, "Q"):
                yield at
                at += 16

    def entry(self, tag: int) -> int:
        return next(at for at in self.entries() if self.number(at, "Q") == tag)

    def value(self, tag: int) -> int:
        return self.number(self.entry(tag) + 8, "Q")

    def symbol_index(self, name: str) -> int:
        table, names = self.offset_of(self.value(DT_SYMTAB)), self.offset_of(self.value(DT_STRTAB))
        wanted = name.encode() + b"\0"
        for index in range(1, 10000):
            at = names + self.number(table + 24 * index, "I")
            if self.data[at : at + len(wanted)] == wanted:
                return index
        raise LookupError(name)


def drop_tags(*tags: int):
    """Dynamic entries with these tags become ones that mean nothing here."""

    def change(elf: Elf) -> None:
        for at in list(elf.entries()):
            if elf.number(at, "Q") in tags:
                elf.put(at, "Q", DT_DEBUG)

    return change


def make_code_writable(elf: Elf) -> None:
    for segment in elf.segments():
        if elf.number(segment, "I") == PT_LOAD and elf.number(segment + 4, "I") & 1:
            elf.put(segment + 4, "I", 7)


def clear_bloom_filter(elf: Elf) -> None:
    table = elf.offset_of(elf.value(DT_GNU_HASH))
    for i in range(elf.number(table + 8, "I")):
        elf.put(table + 16 + 8 * i, "Q", 0)


def miscount_versions(elf: Elf) -> None:
    elf.put(elf.entry(DT_VERNEEDNUM) + 8, "Q", 999)


def give_version(name: str, index: int):
    def change(elf: Elf) -> None:
        table = elf.offset_of(elf.value(DT_VERSYM))
        elf.put(table + 2 * elf.symbol_index(name), "H", index)

    return change


def repeat_symbols(count: int):
    """An object file whose last symbol stands in its table `count` times."""

    def change(elf: Elf) -> None:
        for section in elf.sections():
            if elf.number(section + 4, "I") != SHT_SYMTAB:
                continue
            offset, size = elf.number(section + 24, "Q"), elf.number(section + 32, "Q")
            old = bytes(elf.data[offset : offset + size])
            elf.put(section + 24, "Q", len(elf.data))
            elf.put(section + 32, "Q", size + 24 * count)
            elf.data += old + old[-24:] * count

    return change

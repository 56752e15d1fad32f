# SPDX-License-Identifier: Apache-2.0
"""A strict reader of library_bin: the rules of the chapter, in the order of the checks."""

from __future__ import annotations

from typing import NamedTuple, Optional


class Problem(NamedTuple):
    """The rule that a payload breaks, and the offset of the invalid field."""

    rule: str
    offset: int


class Refused(Exception):
    """Carries a Problem."""


# Kind, value (None for the library itself) and imports of a module.
Module = tuple[bytes, Optional[bytes], tuple[int, ...]]


class Reader:
    """The payload, and the position in it. Offsets are counted from the first byte of nbytes."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def left(self) -> int:
        return len(self.data) - self.at

    def word(self, rule: str) -> int:
        if self.left() < 8:
            raise Refused(rule, self.at)
        self.at += 8
        return int.from_bytes(self.data[self.at - 8 : self.at], "little")

    def vector(self) -> tuple[list[int], int]:
        """The numbers, and the offset of the first one."""
        start = self.at
        count = self.word("count-cut")
        if count > self.left() // 8:
            raise Refused("count-too-large", start)
        return [self.word("") for _ in range(count)], start + 8

    def text(self, what: str) -> bytes:
        start = self.at
        size = self.word(f"{what}-cut")
        if size > self.left():
            raise Refused(f"{what}-too-large", start)
        self.at += size
        return self.data[self.at - size : self.at]


def check_rows(rows: list[int], start: int, num_children: int) -> None:
    if len(rows) < 2:
        raise Refused("no-rows", start - 8)
    if rows[0] != 0:
        raise Refused("first-row", start)
    for i in range(1, len(rows)):
        if rows[i] < rows[i - 1]:
            raise Refused("row-falls", start + 8 * i)
    if rows[-1] != num_children:
        raise Refused("last-row", start + 8 * (len(rows) - 1))


def check_children(rows: list[int], children: list[int], start: int) -> None:
    for i, child in enumerate(children):
        if child >= len(rows) - 1:
            raise Refused("child-range", start + 8 * i)
    check_cycles(rows, children, start)


def check_cycles(rows: list[int], children: list[int], start: int) -> None:
    """Walks from each unvisited module, without recursion."""
    left_behind: set[int] = set()
    for root in range(len(rows) - 1):
        path, following = [root], {root: rows[root]}
        while path and root not in left_behind:
            here = path[-1]
            place = following[here]
            if place == rows[here + 1]:
                left_behind.add(path.pop())
                del following[here]
                continue
            following[here] += 1
            if children[place] in following:
                raise Refused("cycle", start + 8 * place)
            if children[place] not in left_behind:
                path.append(children[place])
                following[children[place]] = rows[children[place]]


def read_entries(reader: Reader, rows: list[int], children: list[int]) -> list[Module]:
    tree: list[Module] = []
    for i in range(len(rows) - 1):
        start = reader.at
        kind = reader.text("kind")
        if kind == b"_lib" and any(module[0] == b"_lib" for module in tree):
            raise Refused("library-twice", start)
        value = None if kind == b"_lib" else reader.text("value")
        tree.append((kind, value, tuple(children[rows[i] : rows[i + 1]])))
    if reader.left():
        raise Refused("trailing", reader.at)
    return tree


def read_all(data: bytes) -> list[Module]:
    reader = Reader(data)
    nbytes = reader.word("size-cut")
    if nbytes > reader.left():
        raise Refused("size-too-large", 0)
    reader.data = data[: 8 + nbytes]
    rows, rows_start = reader.vector()
    children, children_start = reader.vector()
    check_rows(rows, rows_start, len(children))
    check_children(rows, children, children_start)
    return read_entries(reader, rows, children)


def read(data: bytes) -> list[Module] | Problem:
    """The modules that the bytes of `__tvm_ffi__library_bin` describe, or the problem."""
    try:
        return read_all(data)
    except Refused as refused:
        return Problem(*refused.args)

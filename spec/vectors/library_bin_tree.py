# SPDX-License-Identifier: Apache-2.0
"""Trees of modules, and payloads whose fields can be changed before they are written."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

Row = dict[str, Any]


class Module(NamedTuple):
    """A module of a tree: `value` is None for the library itself."""

    kind: bytes
    value: bytes | None
    imports: tuple[int, ...] = ()


def lib(*imports: int) -> Module:
    return Module(b"_lib", None, imports)


def k(value: bytes | str, *imports: int, kind: bytes = b"k") -> Module:
    return Module(kind, value.encode() if isinstance(value, str) else value, imports)


class Payload:
    """The fields of a payload, in order, by name. Each may be changed."""

    def __init__(self, tree: list[Module]) -> None:
        self.fields: list[tuple[str, bytes]] = []
        rows, children = [0], []
        for module in tree:
            children += module.imports
            rows.append(len(children))
        self._vector("rows", rows)
        self._vector("children", children)
        for i, module in enumerate(tree):
            self._bytes(f"kind[{i}]", module.kind)
            if module.value is not None:
                self._bytes(f"value[{i}]", module.value)

    def _word(self, name: str, value: int) -> None:
        self.fields.append((name, struct.pack("<Q", value)))

    def _vector(self, name: str, words: list[int]) -> None:
        self._word(f"{name}.count", len(words))
        for i, word in enumerate(words):
            self._word(f"{name}[{i}]", word)

    def _bytes(self, name: str, data: bytes) -> None:
        self._word(f"{name}.length", len(data))
        self.fields.append((name, data))

    def names(self, *endings: str) -> list[str]:
        return [name for name, _ in self.fields if name.endswith(endings)]

    def offset(self, name: str) -> int:
        """The offset of a field from the first byte of nbytes."""
        at = 8
        for field, data in self.fields:
            if field == name:
                return at
            at += len(data)
        raise KeyError(name)

    def left_behind(self, name: str) -> int:
        """The number of bytes after a number."""
        return len(self.body()) - (self.offset(name) - 8) - 8

    def put(self, name: str, word: int) -> Payload:
        index = [field for field, _ in self.fields].index(name)
        self.fields[index] = (name, struct.pack("<Q", word))
        return self

    def body(self) -> bytes:
        return b"".join(data for _, data in self.fields)

    def bytes(self) -> bytes:
        return blob(self.body())


def blob(body: bytes, nbytes: int | None = None) -> bytes:
    return struct.pack("<Q", len(body) if nbytes is None else nbytes) + body


def described(tree: list[Module]) -> list[Row]:
    return [
        {"kind_hex": m.kind.hex()}
        | ({} if m.value is None else {"value_hex": m.value.hex()})
        | {"imports": list(m.imports)}
        for m in tree
    ]


def chain(count: int, library: int = 0) -> list[Module]:
    """Each imports the next."""
    below = [(i + 1,) if i + 1 < count else () for i in range(count)]
    return [lib(*b) if i == library else k(str(i), *b) for i, b in enumerate(below)]


def diamonds(layers: int) -> list[Module]:
    """A chain of pairs, both of which import both of the next; one module at the end."""
    tree = [lib(1, 2)]
    for layer in range(layers):
        first = 2 * layer + 3
        below = (first, first + 1) if layer + 1 < layers else (first,)
        tree += [k(f"{layer}a", *below), k(f"{layer}b", *below)]
    return [*tree, k("end")]


def reordered(tree: list[Module], order: list[int]) -> list[Module]:
    """The same tree with its modules in another order: `order[i]` becomes module i."""
    place = {old: new for new, old in enumerate(order)}
    return [tree[old]._replace(imports=tuple(place[c] for c in tree[old].imports)) for old in order]


def numbers(seed: int) -> Iterator[int]:
    """Pseudo-random numbers that are the same everywhere."""
    while True:
        seed = (seed * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        yield seed >> 33


def drawn(seed: int) -> list[Module]:
    """A random tree: each module imports some that follow it, then all are shuffled."""
    draw = numbers(seed)
    count = 3 + next(draw) % 9
    library = next(draw) % (count + 1)  # count: there is none
    tree = []
    for i in range(count):
        behind = range(i + 1, count)
        imports = tuple(c for c in behind if next(draw) % 3 == 0 or c == i + 1 == 1)
        value = bytes(next(draw) % 256 for _ in range(1 + next(draw) % 20))
        kind = bytes([107 + next(draw) % 3])
        tree.append(lib(*imports) if i == library else k(value, *imports, kind=kind))
    order = list(range(count))
    for i in range(count - 1, 1, -1):  # the root stays the first
        j = 1 + next(draw) % i
        order[i], order[j] = order[j], order[i]
    return reordered(tree, order)


DAG = [lib(1, 2), k("PTX!", 3, kind=b"cuda"), k("B", 3, kind=b"blas"), k("{}", kind=b"cfg")]
PAIR = [lib(1), k("one")]

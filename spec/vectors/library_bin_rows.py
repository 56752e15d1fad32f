# SPDX-License-Identifier: Apache-2.0
"""Rows of library_bin.json: how they are generated, and the payloads that are loaded."""

from __future__ import annotations

from library_bin_reader import Problem, read
from library_bin_tree import (
    DAG,
    PAIR,
    Module,
    Payload,
    Row,
    chain,
    described,
    diamonds,
    drawn,
    k,
    lib,
    reordered,
)

# The clause for a payload that breaks a rule.
CLAUSES = {
    "size-cut": "BIN-38",
    "size-too-large": "BIN-38",
    "count-cut": "BIN-22",
    "count-too-large": "BIN-23",
    "no-rows": "BIN-25",
    "first-row": "BIN-26",
    "row-falls": "BIN-27",
    "last-row": "BIN-28",
    "child-range": "BIN-29",
    "cycle": "BIN-30",
    "kind-cut": "BIN-22",
    "kind-too-large": "BIN-31",
    "value-cut": "BIN-22",
    "value-too-large": "BIN-32",
    "library-twice": "BIN-35",
    "trailing": "BIN-33",
}
UNSPECIFIED = {"BIN-35", "BIN-36", "BIN-38"}


class Rows:
    """The rows generated so far."""

    def __init__(self) -> None:
        self.rows: list[Row] = []

    def accept(
        self, name: str, clause: str, reason: str, tree: list[Module], data: bytes | None = None
    ) -> None:
        data = Payload(tree).bytes() if data is None else data
        found = read(data)
        assert found == [tuple(module) for module in tree], (name, found)
        verdict = "unspecified" if clause in UNSPECIFIED else "accept"
        self._add(name, data, verdict, clause, reason, {"tree": described(tree)})

    def refuse(self, name: str, reason: str, data: bytes, rule: str, offset: int) -> None:
        found = read(data)
        assert isinstance(found, Problem), (name, "is read")
        assert (found.rule, found.offset) == (rule, offset), (name, rule, offset, found)
        clause = CLAUSES[rule]
        verdict = "unspecified" if clause in UNSPECIFIED else "reject"
        problem = {"rule": rule, "offset": offset}
        self._add(name, data, verdict, clause, reason, {"problem": problem})

    def _add(
        self, name: str, data: bytes, verdict: str, clause: str, reason: str, more: Row
    ) -> None:
        row = {"id": name, "bytes": data.hex(), "verdict": verdict, "clause": clause}
        self.rows.append({**row, "reason": reason, **more})


def add_shapes(rows: Rows) -> None:
    add = rows.accept
    add("library-alone", "BIN-2", "the library and nothing else", [lib()])
    add("custom-alone", "BIN-3", "one module, which is not the library", [k("1")])
    add("pair", "BIN-9", "the library imports one module", PAIR)
    add(
        "root-is-custom",
        "BIN-1",
        "the first entry is a custom module that imports the library",
        [k("VM", 1, kind=b"relax"), lib()],
    )
    add("without-library", "BIN-3", "two custom modules", [k("1", 1), k("2")])
    for i in range(5):
        add(
            f"chain-of-5-library-at-{i}",
            "BIN-3",
            f"each imports the next; the library is entry {i}",
            chain(5, i),
        )
    for count in (2, 3, 16, 100):
        add(
            f"chain-of-{count}",
            "BIN-9",
            f"{count} modules, each of which imports the next",
            chain(count),
        )
    for count in (2, 3, 8, 64):
        star = [lib(*range(1, count + 1)), *(k(str(i)) for i in range(1, count + 1))]
        add(f"star-of-{count}", "BIN-9", f"the library imports {count} modules, in order", star)
        star[0] = lib(*range(count, 0, -1))
        add(
            f"star-of-{count}-backwards",
            "BIN-9",
            f"the library imports {count} modules, the last first",
            star,
        )
    add("dag", "BIN-10", "two modules import the same third one", DAG)
    add(
        "diamond",
        "BIN-10",
        "two ways lead to one module",
        [k("top", 1, 2), k("left", 3), k("right", 3), lib()],
    )
    for layers in (2, 10, 40):
        add(
            f"diamonds-{layers}",
            "BIN-10",
            f"{layers} pairs of modules in a chain",
            diamonds(layers),
        )
    add(
        "dag-of-8-all-edges",
        "BIN-10",
        "each module imports all that follow it",
        [k(str(i), *range(i + 1, 8)) for i in range(8)],
    )
    add(
        "binary-tree-of-15",
        "BIN-9",
        "each module imports two, down to the leaves",
        [k(str(i), *(c for c in (2 * i + 1, 2 * i + 2) if c < 15)) for i in range(15)],
    )
    add(
        "grandchild-is-child",
        "BIN-10",
        "a module is imported directly and through another",
        [lib(1, 2), k("1", 2), k("2")],
    )
    add("child-twice", "BIN-10", "a row has the same child twice", [lib(1, 1), k("1")])
    add(
        "child-twice-apart",
        "BIN-10",
        "a row has the same child twice, another between",
        [lib(1, 2, 1), k("1"), k("2")],
    )


def add_orders(rows: Rows) -> None:
    add = rows.accept
    add("parent-behind-child", "BIN-11", "module 2 imports module 1", [lib(2), k("1"), k("2", 1)])
    add(
        "chain-of-6-backwards",
        "BIN-11",
        "the library, then the end of the chain first",
        reordered(chain(6), [0, 5, 4, 3, 2, 1]),
    )
    add(
        "dag-reordered",
        "BIN-11",
        "the shared module precedes those that import it",
        reordered(DAG, [0, 3, 2, 1]),
    )
    add(
        "library-imports-backwards",
        "BIN-11",
        "the library, entry 3, imports entry 1",
        [k("0", 3), k("1"), k("2"), lib(1, 2)],
    )
    add("unreachable", "BIN-12", "module 1 is not imported", [lib(), k("1")])
    add("unreachable-library", "BIN-12", "the library is not imported", [k("0"), lib()])
    add(
        "unreachable-pair",
        "BIN-12",
        "module 2, which imports both others below the root, is not imported",
        [lib(1), k("1"), k("2", 3, 1), k("3", 1)],
    )
    add("unreachable-above-root", "BIN-12", "module 1 imports the first entry", [lib(), k("1", 0)])
    for seed in range(1, 21):
        add(f"drawn-{seed}", "BIN-9", "a random tree", drawn(seed))


def add_texts(rows: Rows) -> None:
    add = rows.accept
    add("value-empty", "BIN-6", "an empty value at the end", [lib(1), k("")])
    add(
        "value-empty-first",
        "BIN-6",
        "an empty value before another entry",
        [lib(1, 2), k(""), k("2")],
    )
    add("value-empty-root", "BIN-6", "the value of the first entry is empty", [k(""), lib()])
    add("values-all-empty", "BIN-6", "four empty values", [lib(1, 2, 3, 4), *[k("")] * 4])
    for size in range(1, 10):
        add(
            f"value-of-{size}", "BIN-5", f"a value of {size} bytes", [lib(1), k("987654321"[:size])]
        )
    add(
        "value-of-1000",
        "BIN-5",
        "a value of 1000 bytes",
        [lib(1), k(bytes(i % 251 for i in range(1000)))],
    )
    add(
        "value-every-byte",
        "BIN-5",
        "a value with every byte",
        [lib(1), k(bytes(range(256)))],
    )
    add("value-nul", "BIN-5", "a value that is one NUL", [lib(1), k(b"\0")])
    add("value-nuls", "BIN-5", "eight NULs, like a length", [lib(1), k(bytes(8))])
    add("value-nul-inside", "BIN-5", "a NUL in the middle", [lib(1), k(b"a\0b")])
    add("value-not-text", "BIN-5", "bytes that are not UTF-8", [lib(1), k(b"\xff\xfe\x80\xc0")])
    add("value-says-lib", "BIN-5", "the value is the name of the library", [lib(1), k("_lib")])
    add(
        "value-is-payload",
        "BIN-5",
        "the value is a payload itself",
        [lib(1), k(Payload(DAG).bytes())],
    )
    for name, kind in (
        ("shorter", b"_li"), ("longer", b"_libx"), ("with-nul", b"_lib\0"), ("capitals", b"_LIB"),
        ("without-underscore", b"lib"), ("two-underscores", b"__lib"),
    ):  # fmt: skip
        add(
            f"kind-like-lib-{name}",
            "BIN-7",
            "a kind that resembles _lib has a value",
            [lib(1), k("1", kind=kind)],
        )
    add("kind-with-nul", "BIN-7", "k followed by a NUL", [lib(1), k("1", kind=b"k\0")])
    add("kind-is-nul", "BIN-7", "a kind that is one NUL", [lib(1), k("1", kind=b"\0")])
    add(
        "kind-not-text", "BIN-7", "bytes that are not UTF-8", [lib(1), k("1", kind=b"\xff\xc3\x28")]
    )
    add("kind-utf-8", "BIN-7", "non-ASCII letters", [lib(1), k("1", kind="größe".encode())])
    add("kind-with-dots", "BIN-7", "dots in a kind", [lib(1), k("1", kind=b"relax.VMExecutable")])
    add("kind-of-300", "BIN-7", "a kind of 300 bytes", [lib(1), k("1", kind=b"k" * 300)])
    add(
        "kinds-differ",
        "BIN-4",
        "four kinds, one of them twice",
        [
            lib(1, 2, 3, 4, 5),
            *(k(str(i), kind=kind) for i, kind in enumerate((b"a", b"b", b"a", b"aa", b"ab"))),
        ],
    )
    add("kind-empty", "BIN-36", "an empty kind", [lib(1), k("1", kind=b"")])
    add(
        "kind-and-value-empty",
        "BIN-36",
        "an empty kind and an empty value",
        [lib(1), k("", kind=b"")],
    )


def add_behind(rows: Rows) -> None:
    for count in (1, 7, 8, 64):
        rows.accept(
            f"behind-the-payload-{count}",
            "BIN-21",
            f"{count} bytes follow the 8 + nbytes",
            PAIR,
            Payload(PAIR).bytes() + b"\xaa" * count,
        )

# SPDX-License-Identifier: Apache-2.0
"""Generates library_bin.json: payloads of every shape, and payloads that break one rule each.

Usage: make_library_bin.py [--check] [FILE]

Writes FILE (library_bin.json beside this program); with --check writes nothing and fails if FILE
differs. The generator knows which rule a row breaks and where; library_bin_reader.py must find
the same.
"""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path
from typing import Callable

from library_bin_rows import Rows, add_behind, add_orders, add_shapes, add_texts
from library_bin_tree import DAG, PAIR, Module, Payload, blob, chain, k, lib

HERE = Path(__file__).resolve().parent
TOP = 1 << 63
ALL = (1 << 64) - 1


def add_sizes(rows: Rows) -> None:
    good = Payload(PAIR).bytes()
    for count in range(8):
        rows.refuse(f"size-cut-{count}", f"{count} bytes in total", good[:count], "size-cut", 0)
    for count in (8, 9, 40, len(good) - 1):
        rows.refuse(
            f"size-beyond-{count}",
            f"nbytes is that of the complete payload, {count} bytes are present",
            good[:count],
            "size-too-large",
            0,
        )
    for name, nbytes in (
        ("one", len(good) - 7),
        ("2-63", TOP),
        ("2-64-8", ALL - 7),
        ("2-64-1", ALL),
    ):
        rows.refuse(
            f"size-more-{name}", f"nbytes is {nbytes}", blob(good[8:], nbytes), "size-too-large", 0
        )


def add_truncations(rows: Rows) -> None:
    """Truncates before every byte and adapts nbytes."""
    whole = Payload([lib(1), k("val", kind=b"kin")])
    body = whole.body()
    for size in range(len(body)):
        data = blob(body[:size])
        rows.refuse(
            f"cut-at-{size + 8}",
            f"the payload ends before byte {size + 8}",
            data,
            *cut(whole, size),
        )


def number(data: bytes) -> int:
    return int.from_bytes(data, "little")


def cut(whole: Payload, size: int) -> tuple[str, int]:
    """The rule that is broken by the first `size` bytes of a body, and where."""
    at = 0
    for name, data in whole.fields:
        if name.endswith(".count"):
            if size < at + 8:
                return "count-cut", at + 8
            if size < at + 8 + 8 * number(data):
                return "count-too-large", at + 8
        elif name.endswith(".length"):
            what = name[: name.index("[")]
            if size < at + 8:
                return f"{what}-cut", at + 8
            if size < at + 8 + number(data):
                return f"{what}-too-large", at + 8
        at += len(data)
    raise ValueError(size)


def add_numbers_too_large(rows: Rows) -> None:
    """Counts and lengths that exceed the payload, including those that wrap around."""
    rules = {"rows": "count-too-large", "children": "count-too-large",
             "kind": "kind-too-large", "value": "value-too-large"}  # fmt: skip
    for name in Payload(DAG).names(".count", ".length"):
        at, left = Payload(DAG).offset(name), Payload(DAG).left_behind(name)
        vector = name.endswith(".count")
        words = {"2-32": 1 << 32, "2-63-1": TOP - 1, "2-63": TOP, "2-64-1": ALL}
        if vector:
            words |= {
                "one": left // 8 + 1,
                "2-60": 1 << 60,
                "2-61-1": (1 << 61) - 1,
                "2-62": 1 << 62,
            }
            words |= {"wraps-to-0": 1 << 61, "wraps-to-8": (1 << 61) + 1}
            words |= {"wraps-to-the-end": (1 << 61) + left // 8}
        else:
            words |= {"one": left + 1, "2-64-8": ALL - 7}
            words |= {"wraps-to-0": ALL + 1 - at - 8, "wraps-to-start": ALL + 1 - at}
        for label, word in words.items():
            what = "number of elements" if vector else "length"
            rows.refuse(
                f"too-large-{plain(name)}-{label}",
                f"the {what} of {name.split('.')[0]} is {word}",
                Payload(DAG).put(name, word).bytes(),
                rules[name.split("[")[0].split(".")[0]],
                at,
            )


def plain(name: str) -> str:
    """The name of a field as part of an id."""
    return name.replace("[", "-").replace("]", "").replace(".", "-")


def add_rows(rows: Rows) -> None:
    entry = Payload([lib()]).body()[32:]
    no_row = struct.pack("<QQ", 0, 0)
    rows.refuse("no-row", "no row, no child, no module", blob(no_row), "no-rows", 8)
    rows.refuse("no-row-but-an-entry", "no row and an entry", blob(no_row + entry), "no-rows", 8)
    one_row = struct.pack("<QQQ", 1, 0, 0)
    rows.refuse("one-row", "one row: no module", blob(one_row), "no-rows", 8)
    rows.refuse("one-row-and-an-entry", "one row and an entry", blob(one_row + entry), "no-rows", 8)
    rows.refuse(
        "one-row-of-1",
        "one row, which is 1, and a child",
        blob(struct.pack("<QQQQ", 1, 1, 1, 0) + entry),
        "no-rows",
        8,
    )
    for word in (1, 4, 5, 1 << 32, TOP, ALL):
        rows.refuse(
            f"first-row-{word:x}",
            f"the first row is {word}",
            Payload(DAG).put("rows[0]", word).bytes(),
            "first-row",
            Payload(DAG).offset("rows[0]"),
        )
    for i in (1, 2, 3, 4):  # the rows of DAG are 0 2 3 4 4
        data = Payload(DAG)
        for j in range(1, i):
            data.put(f"rows[{j}]", 4)
        for label, word in (("1", 1), ("0", 0)) if i > 1 else ():
            rows.refuse(
                f"row-{i}-falls-to-{label}",
                f"row {i} is {word}, those before it are 4",
                data.put(f"rows[{i}]", word).bytes(),
                "row-falls",
                data.offset(f"rows[{i}]"),
            )
        if i < 4:
            for label, word in (("5", 5), ("2-63", TOP), ("2-64-1", ALL)):
                rows.refuse(
                    f"row-{i}-beyond-{label}",
                    f"row {i} is {word}, and the next one is less",
                    Payload(DAG).put(f"rows[{i}]", word).bytes(),
                    "row-falls",
                    data.offset(f"rows[{i + 1}]"),
                )
    at = Payload(DAG).offset("rows[4]")
    for label, word in (
        ("5", 5),
        ("2-32", 4 + (1 << 32)),
        ("2-61", 4 + (1 << 61)),
        ("2-63", TOP),
        ("2-64-1", ALL),
    ):
        rows.refuse(
            f"last-row-{label}",
            f"the last row is {word} with 4 children",
            Payload(DAG).put("rows[4]", word).bytes(),
            "last-row",
            at,
        )
    low = [lib(), k("1")]
    rows.refuse(
        "last-row-without-children",
        "the last row is 1, and there is no child",
        Payload(low).put("rows[2]", 1).bytes(),
        "last-row",
        Payload(low).offset("rows[2]"),
    )
    data = Payload(PAIR).put("rows[1]", 0).put("rows[2]", 0)
    rows.refuse(
        "last-row-less",
        "the rows are 0, and there is a child",
        data.bytes(),
        "last-row",
        data.offset("rows[2]"),
    )
    data = Payload(DAG).put("rows[3]", 3).put("rows[4]", 3)
    rows.refuse(
        "last-row-less-by-one",
        "the last row omits one child",
        data.bytes(),
        "last-row",
        data.offset("rows[4]"),
    )


def add_children(rows: Rows) -> None:
    words = (("4", 4), ("5", 5), ("2-32", 1 << 32), ("2-63", TOP), ("2-64-1", ALL))
    for i in range(4):
        for label, word in words:
            rows.refuse(
                f"child-{i}-is-{label}",
                f"child {i} is {word} among 4 modules",
                Payload(DAG).put(f"children[{i}]", word).bytes(),
                "child-range",
                Payload(DAG).offset(f"children[{i}]"),
            )
        rows.refuse(
            f"child-{i}-in-32-bits",
            f"child {i} is valid only in its lower 32 bits",
            Payload(DAG).put(f"children[{i}]", (1 << 32) + 3).bytes(),
            "child-range",
            Payload(DAG).offset(f"children[{i}]"),
        )
    rows.refuse(
        "child-of-one",
        "one module that imports a missing second one",
        Payload([lib(1)]).bytes(),
        "child-range",
        Payload([lib(1)]).offset("children[0]"),
    )


def add_cycles(rows: Rows) -> None:
    """`closing` is the child that closes the cycle in a walk from the first module."""

    def add(name: str, reason: str, tree: list[Module], closing: int) -> None:
        data = Payload(tree)
        rows.refuse(
            f"cycle-{name}", reason, data.bytes(), "cycle", data.offset(f"children[{closing}]")
        )

    add("library-itself", "the library imports itself", [lib(0)], 0)
    add("custom-itself", "a custom module imports itself", [k("0", 0)], 0)
    add("leaf-itself", "the last module imports itself", [lib(1), k("1", 1)], 1)
    add("itself-last", "a module imports another, then itself", [lib(1, 0), k("1")], 1)
    add("itself-twice", "a module imports itself twice", [lib(0, 0)], 0)
    add("of-2", "two modules import each other", [lib(1), k("1", 0)], 1)
    add(
        "of-2-below",
        "two modules below the library import each other",
        [lib(1), k("1", 2), k("2", 1)],
        2,
    )
    add("of-3", "three modules import each other in a cycle", [lib(1), k("1", 2), k("2", 0)], 2)
    for count in (10, 100):
        ring = [
            module._replace(imports=((i + 1) % count,)) for i, module in enumerate(chain(count))
        ]
        add(f"of-{count}", f"{count} modules import each other in a cycle", ring, count - 1)
    add(
        "after-a-diamond",
        "the end of a diamond imports its beginning",
        [lib(1, 2), k("1", 3), k("2", 3), k("3", 0)],
        4,
    )
    add(
        "second-branch",
        "only the second import closes the cycle",
        [lib(1, 2), k("1"), k("2", 0)],
        2,
    )
    add("unreachable-itself", "a module that is not imported imports itself", [lib(), k("1", 1)], 0)
    add(
        "unreachable-of-2",
        "two modules that are not imported import each other",
        [lib(1), k("1"), k("2", 3), k("3", 2)],
        2,
    )
    add("through-the-library", "custom, library, custom", [k("0", 1), lib(2), k("2", 0)], 2)


def add_entries(rows: Rows) -> None:
    tree = [k("0", 1), k("1")]
    body = Payload(tree).body()
    end = len(body) + 8
    for count in (1, 7, 8, 16):
        rows.refuse(
            f"trailing-{count}",
            f"{count} bytes after the last entry",
            blob(body + bytes(count)),
            "trailing",
            end,
        )
    extra = struct.pack("<Q", 1) + b"k" + struct.pack("<Q", 1) + b"2"
    rows.refuse(
        "trailing-entry", "one more entry than modules", blob(body + extra), "trailing", end
    )
    rows.refuse(
        "library-with-a-value",
        "a value after _lib, which has none",
        blob(Payload([lib()]).body() + struct.pack("<Q", 0)),
        "trailing",
        8 + len(Payload([lib()]).body()),
    )
    rows.refuse(
        "entry-missing",
        "two modules, one entry",
        blob(body[: Payload(tree).offset("kind[1].length") - 8]),
        "kind-cut",
        Payload(tree).offset("kind[1].length"),
    )
    at = Payload(chain(3)).offset("kind[0].length")
    rows.refuse(
        "entries-missing",
        "three modules, no entry",
        blob(Payload(chain(3)).body()[: at - 8]),
        "kind-cut",
        at,
    )
    value = Payload(tree).offset("value[1].length")
    rows.refuse(
        "value-missing",
        "a custom module without a value",
        blob(body[: value - 8]),
        "value-cut",
        value,
    )
    text = Payload(tree).put("value[1].length", 2)
    rows.refuse(
        "value-one-longer",
        "the last value is one byte longer than the payload",
        text.bytes(),
        "value-too-large",
        value,
    )
    text = Payload(tree).put("value[1].length", 0)
    rows.refuse(
        "value-shorter",
        "the last value is one byte shorter than the rest of the payload",
        text.bytes(),
        "trailing",
        end - 1,
    )
    twice: list[tuple[str, str, list[Module], int]] = [
        ("twice", "the library imports itself under another entry", [lib(1), lib()], 1),
        ("twice-apart", "a custom module between two libraries", [lib(1, 2), k("1"), lib()], 2),
        ("thrice", "three libraries", [lib(1, 2), lib(), lib()], 1),
        ("twice-below", "two libraries below a custom module", [k("0", 1, 2), lib(), lib()], 2),
    ]
    for name, reason, several, entry in twice:
        data = Payload(several)
        rows.refuse(
            f"library-{name}",
            reason,
            data.bytes(),
            "library-twice",
            data.offset(f"kind[{entry}].length"),
        )


ADDERS: tuple[Callable[[Rows], None], ...] = (
    add_shapes,
    add_orders,
    add_texts,
    add_behind,
    add_sizes,
    add_truncations,
    add_numbers_too_large,
    add_rows,
    add_children,
    add_cycles,
    add_entries,
)


def document() -> str:
    """The whole file: one row per line."""
    rows = Rows()
    for add in ADDERS:
        add(rows)
    lines = ",\n".join("    " + json.dumps(row) for row in rows.rows)
    head = (
        '{\n  "$schema": "library_bin.schema.json",\n  "format": "tvmffi-conform-library_bin/1",\n'
    )
    return f'{head}  "payloads": [\n{lines}\n  ]\n}}\n'


def main() -> int:
    words = sys.argv[1:]
    check = words[:1] == ["--check"]
    words = words[1:] if check else words
    target = Path(words[0]) if words else HERE / "library_bin.json"
    if not check:
        target.write_text(document(), encoding="ascii")
    elif target.read_text(encoding="ascii") != document():
        print(f"{target}: out of date (run {Path(__file__).name})", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

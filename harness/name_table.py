#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the table of registered names, conformance/abi/names.def, against every release in a cache.

A release is loaded and asked (release_names.py), once: the answer is kept beside the wheel. --check
says what differs, and what each release that the table does not reach brought or took away; --write
brings the table up to date.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import release_names
from release_names import NamesError, ReleaseNames
from tvmffi_conform.fetch_runtimes import Cache, natural_key

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "conformance" / "abi" / "names.def"
KEPT = "names.json"
ROW = re.compile(
    r'ABI_REGISTERED_(FUNCTION|TYPE)\(\s*"([^"]+)",(?:\s*(-?\d+),)?\s*"([^"]+)",\s*(?:"([^"]+)"|NULL)\)'
)


class TableError(Exception):
    """The table cannot be read, or cannot say what is so. The text says why."""


@dataclass(frozen=True)
class Row:
    """A name that releases from `first` on have, up to but not including `gone`."""

    kind: str  # "FUNCTION" or "TYPE"
    name: str
    index: int | None  # of a type; None if it is given out as it comes
    first: str
    gone: str | None

    def holds(self, version: str) -> bool:
        at = natural_key(version)
        return natural_key(self.first) <= at and (not self.gone or at < natural_key(self.gone))

    def text(self) -> str:
        gone = f'"{self.gone}"' if self.gone else "NULL"
        index = "" if self.kind == "FUNCTION" else f" {-1 if self.index is None else self.index},"
        start = f'ABI_REGISTERED_{self.kind}("{self.name}",{index}'
        row = f'{start} "{self.first}", {gone})'
        indent = " " * (start.index("(") + 1)
        return row if len(row) <= 100 else f'{start}\n{indent}"{self.first}", {gone})'


Item = tuple[str, str, "int | None"]


def items_of(names: ReleaseNames) -> set[Item]:
    functions: set[Item] = {("FUNCTION", name, None) for name in names.functions}
    return functions | {("TYPE", key, index) for key, index in names.types.items()}


def item_text(item: Item) -> str:
    kind, name, index = item
    return f"{kind.lower()} {name}" + (f" (index {index})" if index is not None else "")


def read_table(text: str) -> list[Row]:
    rows = [
        Row(kind, name, None if index in ("", "-1") else int(index), first, gone or None)
        for kind, name, index, first, gone in ROW.findall(text)
    ]
    if len(rows) != len(re.findall(r"^ABI_REGISTERED_", text, re.M)):
        raise TableError("a row of the table of names is not understood")
    return rows


def rows_for(seen: Mapping[str, ReleaseNames]) -> list[Row]:
    """The table that says what was seen. TableError where a name went and came back."""
    versions = sorted(seen, key=natural_key)
    have = {version: items_of(seen[version]) for version in versions}
    rows = []
    for item in sorted(set().union(*have.values()), key=lambda one: (one[0], one[1])):
        with_it = [index for index, version in enumerate(versions) if item in have[version]]
        first, last = with_it[0], with_it[-1]
        if len(with_it) != last - first + 1:
            raise TableError(
                f"{item_text(item)} was removed and added again, which the table cannot express"
            )
        gone = versions[last + 1] if last + 1 < len(versions) else None
        rows.append(Row(*item, versions[first], gone))
    return rows


def differences(rows: Sequence[Row], seen: Mapping[str, ReleaseNames]) -> Iterator[str]:
    """Release by release, what the table says wrong of it."""
    for version in sorted(seen, key=natural_key):
        said = {(row.kind, row.name, row.index) for row in rows if row.holds(version)}
        has = items_of(seen[version])
        for item in sorted(has - said, key=str):
            yield f"{version}: has the {item_text(item)}, which the table lacks"
        for item in sorted(said - has, key=str):
            yield f"{version}: lacks the {item_text(item)}, which the table gives it"


def ask(cache: Cache, version: str) -> ReleaseNames:
    """What the release has; a wheel does not change, so it is asked once."""
    kept = cache.root / version / KEPT
    if kept.is_file():
        answer = json.loads(kept.read_text(encoding="utf-8"))
        return ReleaseNames(answer["functions"], answer["types"])
    names = release_names.read(cache.root / version / "tvm_ffi" / "lib" / "libtvm_ffi.so")
    kept.write_text(json.dumps(asdict(names)), encoding="utf-8")
    return names


def table_text(rows: Sequence[Row], comment: str) -> str:
    functions = [row.text() for row in rows if row.kind == "FUNCTION"]
    types = [row.text() for row in rows if row.kind == "TYPE"]
    ends = ["#undef ABI_REGISTERED_TYPE", "#undef ABI_REGISTERED_FUNCTION", ""]
    blocks = [block for block in (functions, types, ends) if block]
    return comment + "\n\n".join("\n".join(block) for block in blocks)


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        description="Check conformance/abi/names.def against the releases in a cache.",
        epilog="Exit status: 0 the table is right, 1 it is not, 2 usage, 3 no release.",
    )
    what = made.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="print the differences (default)")
    what.add_argument("--write", action="store_true", help="bring names.def up to date")
    made.add_argument("--cache", type=Path, default=ROOT / ".cache" / "official", metavar="DIR")
    made.add_argument("--table", type=Path, default=TABLE, metavar="FILE")
    return made


def run(options: argparse.Namespace) -> int:
    cache = Cache(options.cache)
    versions = cache.versions()
    if not versions:
        print(f"name_table: {options.cache} holds no release", file=sys.stderr)
        return 3
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        seen = dict(zip(versions, pool.map(lambda version: ask(cache, version), versions)))
    text = options.table.read_text(encoding="utf-8")
    lines = list(differences(read_table(text), seen))
    print("\n".join(lines or [f"the names of {len(versions)} releases are as the table says"]))
    if options.write:
        comment = re.split(r"^(?:ABI_REGISTERED_|#undef )", text, maxsplit=1, flags=re.M)[0]
        options.table.write_text(table_text(rows_for(seen), comment), encoding="utf-8")
        return 0
    return 1 if lines else 0


def main(arguments: Sequence[str] | None = None) -> int:
    try:
        return run(parser().parse_args(arguments))
    except (NamesError, TableError) as error:
        print(f"name_table: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())

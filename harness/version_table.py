#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the version table, conformance/abi/releases.def, against the wheels of every release.

Asks the package index which releases there are and which of them are withdrawn, fetches those that
the cache lacks (fetch_runtimes.py), and reads from each what it exports, what its headers lay out
and which version it reports. Nothing of a release is executed.

A release that the table lacks, and where one differs from what the tables say, is data: --write
puts it into releases.def. A function, field or enumerator that no table has yet needs a person: its
row says more than a wheel does.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import abi_tables
import release_facts
from abi_tables import Expectation, Release, Tables
from release_facts import ReleaseFacts
from tvmffi_conform import fetch_runtimes
from tvmffi_conform.fetch_runtimes import (
    PROJECT,
    Cache,
    Fetcher,
    FetchError,
    Outcome,
    Pip,
    Unreachable,
)

ROOT = Path(__file__).resolve().parents[1]
TABLES = ROOT / "conformance" / "abi"
COLUMNS = 100
REASON_COLUMNS = 80
NO_REASON = "the index withdrew it and gives no reason"


@dataclass(frozen=True)
class Served:
    """What the index says: every release, oldest first, and those it gives only by name."""

    releases: list[str]
    yanked: set[str]


def served(pip: Pip) -> Served:
    """The releases of the index. Unreachable or FetchError where it gives no list."""
    # When pip cannot bring what was asked for, it lists what there is, withdrawn or not.
    options = ["--no-deps", "--only-binary=:all:", "--dest", "."]
    said = pip.ask("download", *options, f"{PROJECT}==0.0.0.dev0")
    listed = re.search(r"\(from versions: (.*?)\)", said.stderr + said.stdout)
    if not listed or listed.group(1) == "none":
        raise Unreachable("the package index gave no list of releases")
    offered = re.search(
        r"^Available versions: (.*)$", pip.run("index", "versions", "--pre", PROJECT), re.M
    )
    if not offered:
        raise FetchError(f"pip's answer about the versions of {PROJECT} is not understood")
    every = set(listed.group(1).split(", "))
    return Served(
        sorted(every, key=fetch_runtimes.natural_key), every - set(offered.group(1).split(", "))
    )


def is_candidate(version: str) -> bool:
    return fetch_runtimes.natural_key(version)[1] < 0


def seen_release(version: str, reports: str, yanked: bool, known: Release | None) -> Release:
    """The row for a release: what was seen of it, and the reason that people gave."""
    reason = known.known_bad if known else None
    if yanked and reason is None:
        reason = NO_REASON
    return Release(version, reports, is_candidate(version), yanked, reason)


def updated(tables: Tables, facts: dict[str, ReleaseFacts], index: Served | None) -> Tables:
    """The tables as the wheels say they should be. What was not looked at stays as it is."""
    releases = dict(tables.releases)
    exceptions = dict(tables.exceptions)
    for version, one in facts.items():
        known = tables.releases.get(version)
        yanked = version in index.yanked if index else bool(known and known.yanked)
        releases[version] = seen_release(version, one.reports, yanked, known)
        exceptions[version] = abi_tables.exceptions(tables, one)
    if index:
        releases = {version: one for version, one in releases.items() if version in index.releases}
    ordered = sorted(releases, key=fetch_runtimes.natural_key)
    return replace(
        tables,
        releases={version: releases[version] for version in ordered},
        exceptions={version: exceptions[version] for version in ordered if exceptions.get(version)},
    )


def table_changes(old: Tables, new: Tables) -> Iterator[str]:
    """What --write would change, one line each."""
    for version in sorted(
        old.releases.keys() | new.releases.keys(), key=fetch_runtimes.natural_key
    ):
        before, after = old.releases.get(version), new.releases.get(version)
        if after is None:
            yield f"{version}: the index does not serve it any more"
            continue
        if before is None:
            yield f"{version}: new; it reports {after.reports}{', yanked' if after.yanked else ''}"
        elif before != after:
            yield f"{version}: was {before}, is {after}"
        had, has = old.exceptions.get(version, {}), new.exceptions.get(version, {})
        for item in sorted(had.keys() | has.keys()):
            if had.get(item) != has.get(item):
                yield f"{version}: {exception_text(item, has.get(item))}"


def exception_text(item: str, has: bool | None) -> str:
    if has is None:
        return f"{item} is as the tables say, no exception"
    return f"{'has' if has else 'lacks'} {item}, against what its first version says"


def unknown_to_tables(tables: Tables, facts: dict[str, ReleaseFacts]) -> Iterator[str]:
    """What the tables would still say wrong, exceptions included: a person has to edit them."""
    for version, one in facts.items():
        expected = Expectation(tables, one.reports, tables.exceptions.get(version, {}))
        for line in abi_tables.differences(expected, one):
            yield f"{version}: {line}"


def version_macro(version: str) -> str:
    return f"ABI_VERSION({', '.join(version.split('.'))})"


def release_row(one: Release) -> str:
    flags = f"{str(one.candidate).lower()}, {str(one.yanked).lower()}"
    start = f'ABI_RELEASE("{one.version}", {version_macro(one.reports)}, {flags},'
    if one.known_bad is None:
        return f"{start} NULL)"
    parts = textwrap.wrap(
        one.known_bad, REASON_COLUMNS, break_long_words=False, drop_whitespace=False
    )
    quoted = "\n".join(" " * len("ABI_RELEASE(") + f'"{part}"' for part in parts)
    return f"{start}\n{quoted})"


def exception_row(version: str, item: str, has: bool) -> str:
    start = f'ABI_RELEASE_EXCEPTION("{version}", {str(has).lower()},'
    row = f'{start} "{item}")'
    if len(row) <= COLUMNS:
        return row
    return f'{start}\n{" " * len("ABI_RELEASE_EXCEPTION(")}"{item}")'


def table_text(tables: Tables, comment: str) -> str:
    """The whole of releases.def below `comment`, which stays what it is."""
    lines = [release_row(one) for one in tables.releases.values()]
    lines.append("")
    for version, items in tables.exceptions.items():
        lines += [exception_row(version, item, has) for item, has in items.items()]
    lines += ["", "#undef ABI_RELEASE_EXCEPTION", "#undef ABI_RELEASE", ""]
    return comment + "\n".join(lines)


def leading_comment(text: str) -> str:
    return text[: text.index("\nABI_RELEASE(") + 1]


def gather(
    options: argparse.Namespace, index: Served | None, pip: Pip | None
) -> tuple[list[str], bool]:
    """The versions whose wheels are in the cache now, and whether every wanted one is."""
    cache = Cache(options.cache)
    if index is None:
        return cache.versions(), True
    fetcher = Fetcher(cache, pip)
    complete = True
    for version in index.releases:
        result = fetcher.fetch(version)
        if result.folder is None:
            complete = False
            print(result.line(), file=sys.stderr)
        elif result.outcome is Outcome.FETCHED:
            print(result.line(), file=sys.stderr)
    return [version for version in index.releases if cache.has(version)], complete


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        description="Hold conformance/abi/releases.def against the wheels of every release.",
        epilog="Exit status: 0 the tables are right, 1 they are not, 2 usage, 3 the package index "
        "was not reachable or a wheel is missing.",
    )
    what = made.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="print the differences (default)")
    what.add_argument("--write", action="store_true", help="bring releases.def up to date")
    made.add_argument("--offline", action="store_true", help="only the wheels in the cache")
    made.add_argument("--cache", type=Path, default=ROOT / ".cache" / "official", metavar="DIR")
    made.add_argument("--tables", type=Path, default=TABLES, metavar="DIR")
    made.add_argument("--json", type=Path, metavar="FILE", help="write what each release has")
    made.add_argument("--cc", default="cc", help="the C compiler (default: %(default)s)")
    return made


def main(arguments: Sequence[str] | None = None, pip: Pip | None = None) -> int:
    options = parser().parse_args(arguments)
    try:
        return run(options, pip or Pip([sys.executable, "-m", "pip"]))
    except Unreachable as error:
        print(f"version_table: {error}", file=sys.stderr)
        return 3
    except (FetchError, abi_tables.TableError) as error:
        print(f"version_table: {error}", file=sys.stderr)
        return 1


def run(options: argparse.Namespace, pip: Pip) -> int:
    index = None if options.offline else served(pip)
    versions, complete = gather(options, index, pip)
    if not versions:
        print(f"version_table: {options.cache} holds no release", file=sys.stderr)
        return 3
    old = abi_tables.read(options.tables, options.cc)
    facts = {
        version: release_facts.read(options.cache / version / "tvm_ffi", options.cc)
        for version in versions
    }
    if options.json:
        shown = {version: one.as_json() for version, one in facts.items()}
        options.json.write_text(json.dumps(shown, indent=1) + "\n", encoding="utf-8")
    new = updated(old, facts, index)
    changes, open_ends = list(table_changes(old, new)), list(unknown_to_tables(new, facts))
    for line in changes + [f"{line} (edit the tables)" for line in open_ends]:
        print(line)
    if options.write:
        table = options.tables / "releases.def"
        comment = leading_comment(table.read_text(encoding="utf-8"))
        table.write_text(table_text(new, comment), encoding="utf-8")
        changes = []
    if changes or open_ends:
        return 1
    print(f"{len(versions)} releases are as the tables say")
    return 0 if complete else 3


if __name__ == "__main__":
    sys.exit(main())

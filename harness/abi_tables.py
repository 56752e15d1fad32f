# SPDX-License-Identifier: Apache-2.0
"""The tables of conformance/abi, read by the C preprocessor, and what they say a release has."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from release_facts import Field, ReleaseFacts, Struct

# What each macro becomes: one JSON list a row. The version is text, as in "0.1.9".
MACROS = """
#define TEXT_(...) #__VA_ARGS__
#define TEXT(...) TEXT_(__VA_ARGS__)
#define ABI_VERSION(major, minor, patch) major.minor.patch
#define ABI_FUNCTION(chapter, since, result, name, parameters) \\
  ["function", "TVMFFI" #name, TEXT(since)]
#define ABI_STRUCT(name, since, size, ...) ["struct", #name, TEXT(since), size]
#define ABI_FIELD(structure, field, type, since, offset, size, ...) \\
  ["field", #structure, #field, TEXT(since), offset, size]
#define ABI_FIELD_FORMERLY(structure, field, before, name, offset, size) \\
  ["formerly", #structure, #field, TEXT(before), #name, offset, size]
#define ABI_ENUMERATOR(enumeration, name, since, value) \\
  ["enumerator", #enumeration, "kTVMFFI" #name, TEXT(since), value]
#define ABI_TYPE_INDEX(name, value, key, since, where) \\
  ["enumerator", "TVMFFITypeIndex", "kTVMFFI" #name, TEXT(since), value]
#define NULL null
#define ABI_RELEASE(version, reports, candidate, yanked, known_bad) \\
  ["release", version, TEXT(reports), candidate, yanked, known_bad]
#define ABI_RELEASE_EXCEPTION(version, has, item) ["exception", version, has, item]
"""
FILES = ("functions.def", "structs.def", "flags.def", "type_indices.def", "releases.def")
TYPE_INDICES = "TVMFFITypeIndex"


class TableError(Exception):
    """The tables cannot be read; the message says why."""


def number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


@dataclass(frozen=True)
class Release:
    """One row of releases.def."""

    version: str
    reports: str
    candidate: bool
    yanked: bool
    known_bad: str | None


@dataclass(frozen=True)
class Form:
    """How a field is called and where it lies."""

    name: str
    place: Field


@dataclass
class FieldRow:
    since: str
    form: Form
    before: str = ""  # the first version with this form, where there was another
    former: Form | None = None


@dataclass
class StructRow:
    since: str
    size: int
    fields: dict[str, FieldRow] = field(default_factory=dict)


@dataclass(frozen=True)
class EnumeratorRow:
    since: str
    value: int


@dataclass
class Tables:
    functions: dict[str, str] = field(default_factory=dict)
    structs: dict[str, StructRow] = field(default_factory=dict)
    enums: dict[str, dict[str, EnumeratorRow]] = field(default_factory=dict)
    releases: dict[str, Release] = field(default_factory=dict)
    exceptions: dict[str, dict[str, bool]] = field(default_factory=dict)

    def add(self, kind: str, *row: object) -> None:
        """One row, as MACROS makes it."""
        getattr(self, "add_" + kind)(*row)

    def add_function(self, name: str, since: str) -> None:
        self.functions[name] = since

    def add_struct(self, name: str, since: str, size: int) -> None:
        self.structs[name] = StructRow(since, size)

    def add_field(self, struct: str, name: str, since: str, offset: int, size: int) -> None:
        self.structs[struct].fields[name] = FieldRow(since, Form(name, Field(offset, size)))

    def add_formerly(
        self, struct: str, name: str, before: str, former: str, offset: int, size: int
    ) -> None:
        row = self.structs[struct].fields[name]
        row.before, row.former = before, Form(former, Field(offset, size))

    def add_enumerator(self, enum: str, name: str, since: str, value: int) -> None:
        self.enums.setdefault(enum, {})[name] = EnumeratorRow(since, value)

    def add_release(self, version: str, *row: object) -> None:
        self.releases[version] = Release(version, *row)

    def add_exception(self, version: str, has: bool, item: str) -> None:
        self.exceptions.setdefault(version, {})[item] = has


def read(folder: Path, cc: str = "cc", files: Iterable[str] = FILES) -> Tables:
    """The tables in `folder`, conformance/abi."""
    tables = Tables()
    for name in files:
        program = f'{MACROS}\n#include "{(folder / name).resolve()}"\n'
        done = subprocess.run(
            [cc, "-E", "-P", "-x", "c", "-"],
            input=program,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise TableError(f"{cc} does not read {folder / name}: {done.stderr.strip()}")
        for row in rows(done.stdout):
            tables.add(*(one.replace(" ", "") if is_version(one) else one for one in row))
    return tables


def rows(text: str) -> Iterator[list[object]]:
    """The JSON lists in the preprocessor's output, which separates them by white space alone."""
    decoder = json.JSONDecoder()
    position = 0
    text = join_literals(text)
    while (position := text.find("[", position)) >= 0:
        row, position = decoder.raw_decode(text, position)
        yield row


def join_literals(text: str) -> str:
    """Adjacent string literals are one to C; to JSON they have to be made one."""
    parts = text.split('"')
    joined = [parts[0]]
    for inside, outside in zip(parts[1::2], parts[2::2]):
        if len(joined) > 1 and not joined[-1].strip():
            joined[-2] += inside
            joined[-1] = outside
        else:
            joined += [inside, outside]
    return '"'.join(joined)


def is_version(value: object) -> bool:
    return isinstance(value, str) and value.replace(" ", "").replace(".", "").isdigit()


class Expectation:
    """What the tables say about a release that reports `reports`, exceptions to it included."""

    def __init__(self, tables: Tables, reports: str, exceptions: dict[str, bool]) -> None:
        self.tables, self.reports, self.exceptions = tables, number(reports), exceptions

    def has(self, item: str, since: str) -> bool:
        return self.exceptions.get(item, number(since) <= self.reports)

    def functions(self) -> set[str]:
        return {name for name, since in self.tables.functions.items() if self.has(name, since)}

    def structs(self) -> dict[str, Struct]:
        return {
            name: self.struct(name, row)
            for name, row in self.tables.structs.items()
            if self.has(name, row.since)
        }

    def struct(self, name: str, row: StructRow) -> Struct:
        """The struct with the fields it has; without later ones it ends where they begin."""
        made = Struct(row.size)
        end = row.size
        for field_name, one in row.fields.items():
            item = f"{name}.{field_name}"
            came_along = one.since == row.since and item not in self.exceptions
            if came_along or one.former or self.has(item, one.since):
                current = not one.former or self.has(item, one.before)
                form = one.form if current else one.former
                made.fields[form.name] = form.place
            else:
                end = min(end, one.form.place.offset)
        covered = [place.offset + place.size for place in made.fields.values()]
        made.size = max([end, *covered]) if end < row.size else row.size
        return made

    def enums(self) -> dict[str, dict[str, int]]:
        """Of several names for one number, a header has those that came last."""
        made: dict[str, dict[str, int]] = {}
        for enum, names in self.tables.enums.items():
            there = {name: row for name, row in names.items() if self.has(name, row.since)}
            newest: dict[int, tuple[int, ...]] = {}
            for row in there.values():
                newest[row.value] = max(newest.get(row.value, ()), number(row.since))
            kept = {n: r.value for n, r in there.items() if newest[r.value] == number(r.since)}
            if kept:
                made[enum] = kept
        return made


def differences(expected: Expectation, facts: ReleaseFacts) -> Iterator[str]:
    """What the release has otherwise than the tables say, one line each."""
    yield from compare("function", dict_of(expected.functions()), dict_of(facts.functions))
    structs = expected.structs()
    known = set(expected.tables.structs)
    seen = {name: one for name, one in facts.structs.items() if name in known or is_ours(name)}
    yield from compare("struct", sizes(structs), sizes(seen))
    for name in sorted(structs.keys() & seen.keys()):
        yield from compare(f"field of {name}:", structs[name].fields, seen[name].fields)
    enums = expected.enums()
    ours = {name: one for name, one in facts.enums.items() if is_ours(name)}
    for name in sorted(enums.keys() | ours.keys()):
        there = {n: v for n, v in ours.get(name, {}).items() if not is_mark(n)}
        yield from compare(f"enumerator of {name}:", enums.get(name, {}), there)


def is_ours(name: str) -> bool:
    """DLPack has structs and enumerations that no signature of the C API mentions."""
    return name.startswith("TVMFFI")


def is_mark(enumerator: str) -> bool:
    return enumerator.endswith(("ObjectBegin", "ObjectEnd"))


def dict_of(names: Iterable[str]) -> dict[str, object]:
    return dict.fromkeys(names, "")


def sizes(structs: dict[str, Struct]) -> dict[str, object]:
    return {name: f"{one.size} bytes" for name, one in structs.items()}


def compare(what: str, expected: dict[str, object], seen: dict[str, object]) -> Iterator[str]:
    for name in sorted(expected.keys() | seen.keys()):
        if name not in seen:
            yield f"lacks the {what} {name}"
        elif name not in expected:
            yield f"has the {what} {name} {seen[name]}".rstrip()
        elif expected[name] != seen[name]:
            yield f"has another {what} {name}: {seen[name]}, not {expected[name]}"


def exceptions(tables: Tables, facts: ReleaseFacts) -> dict[str, bool]:
    """The fewest exceptions under which the tables describe the release, as far as they know it."""
    found: dict[str, bool] = {}
    reports = number(facts.reports)

    def note(item: str, since: str, there: bool) -> None:
        if there != (number(since) <= reports):
            found[item] = there

    exported = set(facts.functions)
    for name, since in tables.functions.items():
        note(name, since, name in exported)
    for name, row in tables.structs.items():
        struct = facts.structs.get(name)
        note(name, row.since, struct is not None)
        for field_name, one in row.fields.items() if struct else ():
            if one.former:
                note(f"{name}.{field_name}", one.before, has_form(struct, one.form))
            elif one.since != row.since:
                note(f"{name}.{field_name}", one.since, field_name in struct.fields)
    for enum, names in tables.enums.items():
        for name, since in enumerator_dates(names, facts.enums.get(enum, {})):
            note(name, since, name in facts.enums.get(enum, {}))
    return found


def has_form(struct: Struct, form: Form) -> bool:
    return struct.fields.get(form.name) == form.place


def enumerator_dates(
    names: dict[str, EnumeratorRow], seen: dict[str, int]
) -> Iterator[tuple[str, str]]:
    """The enumerators that tell something: not those whose number goes by a newer name here."""
    for name, row in names.items():
        newer = [n for n, r in names.items() if r.value == row.value and n in seen]
        if name in seen or all(number(names[n].since) <= number(row.since) for n in newer):
            yield name, row.since

# SPDX-License-Identifier: Apache-2.0
"""The vectors keep their schemas, name clauses that exist, and do not contradict themselves."""

from __future__ import annotations

import copy
import json
import re
import struct
from pathlib import Path
from typing import Any

import jsonschema
import pytest

HERE = Path(__file__).resolve().parent
SPEC = HERE.parent
TYPE_INDICES = SPEC.parent / "conformance" / "abi" / "type_indices.def"
NEWEST = (1 << 30,)
Row = dict[str, Any]


def load(name: str) -> Any:
    return json.loads((HERE / name).read_text(encoding="utf-8"))


DTYPE = load("dtype.json")
ANY = load("any.json")


def version(text: str | None) -> tuple[int, ...]:
    return tuple(map(int, text.split("."))) if text else NEWEST


def clauses(chapter: str) -> dict[str, str]:
    """The level of each clause of a chapter."""
    text = (SPEC / f"{chapter}.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^### ([A-Z]+-\d+) · .*\n(\w+) · ", text, re.MULTILINE))


def at(outcomes: list[Row], when: tuple[int, ...]) -> Row:
    """The outcome that holds for a library that reports this version."""
    found = [o for o in outcomes if version(o["since"]) <= when <= version(o.get("until"))]
    assert len(found) == 1
    return found[0]


# Schemas


@pytest.mark.parametrize("name", ["dtype", "any"])
def test_vectors_keep_their_schema(name: str) -> None:
    schema = load(f"{name}.schema.json")
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(load(f"{name}.json"), schema, jsonschema.Draft202012Validator)


@pytest.mark.parametrize(
    ("name", "table"), [("dtype", "parse"), ("dtype", "print"), ("any", "clean"), ("any", "dirty")]
)
def test_schemas_refuse_rows_with_a_member_too_few_or_too_many(name: str, table: str) -> None:
    validator = jsonschema.Draft202012Validator(load(f"{name}.schema.json"))
    good = load(f"{name}.json")
    for member in good[table][0]:
        spoilt = copy.deepcopy(good)
        del spoilt[table][0][member]
        assert not validator.is_valid(spoilt), member
    good[table][0]["unheard_of"] = 1
    assert not validator.is_valid(good)


# Data types


def test_texts_and_data_types_stand_once() -> None:
    texts = [row["text"] for row in DTYPE["parse"]]
    types = [(row["code"], row["bits"], row["lanes"]) for row in DTYPE["print"]]
    assert len(set(texts)) == len(texts)
    assert len(set(types)) == len(types)


@pytest.mark.parametrize("table", ["parse", "print"])
def test_outcomes_follow_each_other_without_a_gap(table: str) -> None:
    for row in DTYPE[table]:
        outcomes = row["outcomes"]
        assert outcomes[0]["since"] == "0.1.0"
        assert "until" not in outcomes[-1]
        for before, after in zip(outcomes, outcomes[1:]):
            last, first = version(before["until"]), version(after["since"])
            assert first == (*last[:2], last[2] + 1)


def test_outcomes_name_clauses_that_exist() -> None:
    levels = clauses("dtype")
    named = {
        o["clause"] for table in ("parse", "print") for row in DTYPE[table] for o in row["outcomes"]
    }
    assert named - {None} <= set(levels)
    assert {levels[name] for name in named - {None}} == {"MUST", "UNSPECIFIED"}


def test_an_outcome_without_a_clause_is_a_thing_of_the_past() -> None:
    for table in ("parse", "print"):
        for row in DTYPE[table]:
            assert row["outcomes"][-1]["clause"] is not None, row


def test_what_was_read_is_printed_as_the_other_table_says() -> None:
    printed = {(row["code"], row["bits"], row["lanes"]): row["outcomes"] for row in DTYPE["print"]}
    for row in DTYPE["parse"]:
        for outcome in row["outcomes"]:
            if "error" in outcome:
                continue
            outcomes = printed[outcome["code"], outcome["bits"], outcome["lanes"]]
            for when in (outcome["since"], outcome.get("until")):
                assert at(outcomes, version(when))["text"] == outcome["printed"], row["text"]


def test_judged_texts_of_a_print_row_read_as_the_same_data_type() -> None:
    levels = clauses("dtype")
    read = {row["text"]: row["outcomes"] for row in DTYPE["parse"]}
    checked = 0
    for row in DTYPE["print"]:
        outcome = row["outcomes"][-1]
        if "error" in outcome or levels[outcome["clause"]] != "MUST" or outcome["text"] not in read:
            continue
        back = at(read[outcome["text"]], NEWEST)
        if levels[back["clause"]] == "MUST":
            assert [back[k] for k in ("code", "bits", "lanes")] == [
                row[k] for k in ("code", "bits", "lanes")
            ]
            checked += 1
    assert checked > 60


# Values


def value(row: Row) -> bytes:
    return bytes.fromhex(row["bytes"])


def test_ids_of_values_are_unique() -> None:
    ids = [row["id"] for table in ("clean", "dirty") for row in ANY[table]]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("table", ["clean", "dirty"])
def test_the_first_four_bytes_are_the_type_index(table: str) -> None:
    for row in ANY[table]:
        assert struct.unpack_from("<i", value(row))[0] == row["type_index"], row["id"]


def test_bytes_that_must_be_zero_are_zero() -> None:
    for row in ANY["clean"]:
        assert not any(value(row)[offset] for offset in row["zero"]), row["id"]


def test_padding_must_be_zero_but_for_small_texts() -> None:
    for row in ANY["clean"]:
        padding = {4, 5, 6, 7} & set(row["zero"])
        assert padding == (set() if row["type_index"] in (11, 12) else {4, 5, 6, 7}), row["id"]


def used_payload(meaning: Row) -> bytes:
    """The payload bytes that a value of this meaning uses."""
    kind = meaning["kind"]
    if kind in ("none", "unchanged"):
        return b""
    if kind == "int":
        return struct.pack("<q", int(meaning["value"]))
    if kind == "bool":
        return bytes([meaning["value"]])
    if kind == "dtype":
        return struct.pack("<BBH", meaning["code"], meaning["bits"], meaning["lanes"])
    if kind == "device":
        return struct.pack("<ii", meaning["device_type"], meaning["device_id"])
    if kind in ("small-string", "small-bytes"):
        return bytes.fromhex(meaning["content_hex"])
    return bytes.fromhex(meaning["bits" if kind == "float" else "address"])[::-1]


def test_bytes_and_meaning_agree() -> None:
    for row in ANY["clean"]:
        used = used_payload(row["meaning"])
        assert value(row)[8:] == used.ljust(8, b"\0"), row["id"]
        assert set(row["zero"]) - {4, 5, 6, 7} == set(range(8 + len(used), 16)), row["id"]
        if row["meaning"]["kind"].startswith("small-"):
            assert struct.unpack_from("<I", value(row), 4)[0] == len(used), row["id"]


def owned_text(index: int, content: bytes) -> Row:
    """What a text or bytes become; `index` is that of the small form."""
    if len(content) > 7:
        return {"how": "new-object", "type_index": index + 54, "content_hex": content.hex()}
    small = struct.pack("<iI", index, len(content)) + content.ljust(8, b"\0")
    return {"how": "bytes", "bytes": small.hex()}


def test_what_a_value_becomes_follows_from_its_type() -> None:
    for row in ANY["clean"]:
        index, meaning = row["type_index"], row["meaning"]
        if index == 8:
            expected = owned_text(11, bytes.fromhex(meaning["text_hex"]))
        elif index == 9:
            expected = owned_text(12, bytes.fromhex(meaning["content_hex"]))
        elif index in (7, 13):
            assert row["becomes"]["how"] == "unspecified"
            continue
        else:
            expected = {"how": "moved" if index == 10 else "shared" if index >= 64 else "same"}
        assert row["becomes"] == expected, row["id"]


def test_every_type_index_has_a_value_and_its_roles() -> None:
    table = TYPE_INDICES.read_text(encoding="utf-8")
    rows = re.findall(
        r"^ABI_TYPE_INDEX\(\w+, (\d+), \"[^\"]*\",\s+ABI_VERSION\(([\d, ]+)\),\s+([^)]*)\)",
        table,
        re.MULTILINE,
    )
    assert len(rows) > 25
    for index, since, where in rows:
        found = [row for row in ANY["clean"] if row["type_index"] == int(index)]
        assert found, f"no value of type index {index}"
        for row in found:
            assert ("view" in row["role"]) == ("ABI_IN_VIEW" in where), row["id"]
            assert ("owned" in row["role"]) == ("ABI_IN_OWNED" in where), row["id"]
            # The key of DLTensor* came later than its index.
            assert index == "7" or version(row["since"]) == tuple(map(int, since.split(", "))), row[
                "id"
            ]


def test_dirty_values_are_dirty() -> None:
    """Each is one that no clean value of its type can have."""
    for row in ANY["dirty"]:
        data, index = value(row), row["type_index"]
        length = struct.unpack_from("<I", data, 4)[0]
        tail = {0: 8, 2: 9, 5: 12, 11: 8 + length, 12: 8 + length}.get(index, 16)
        padding = index not in (11, 12) and length != 0
        assert padding or any(data[tail:]) or (index == 2 and data[8] > 1), row["id"]


def test_values_name_clauses_that_exist() -> None:
    levels = clauses("any")
    left_open = {row["becomes"].get("clause") for row in ANY["clean"]} - {None}
    assert {levels[name] for name in left_open} == {"UNSPECIFIED"}
    assert {row["clause"] for row in ANY["dirty"]} <= set(levels)

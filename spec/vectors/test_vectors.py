# SPDX-License-Identifier: Apache-2.0
"""The vectors match their schemas, cite existing clauses, and do not contradict themselves."""

from __future__ import annotations

import copy
import json
import os
import re
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import make_library_bin
import pytest
from library_bin_reader import read

HERE = Path(__file__).resolve().parent
SPEC = HERE.parent
TYPE_INDICES = SPEC.parent / "conformance" / "abi" / "type_indices.def"
NEWEST = (1 << 30,)
Row = dict[str, Any]


def load(name: str) -> Any:
    return json.loads((HERE / name).read_text(encoding="utf-8"))


DTYPE = load("dtype.json")
ANY = load("any.json")
LIBRARY_BIN = load("library_bin.json")["payloads"]


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


@pytest.mark.parametrize("name", ["dtype", "any", "library_bin"])
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
    assert {levels[name] for name in named - {None}} == {"SHOULD", "UNSPECIFIED"}


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
        if (
            "error" in outcome
            or levels[outcome["clause"]] != "SHOULD"
            or outcome["text"] not in read
        ):
            continue
        back = at(read[outcome["text"]], NEWEST)
        if levels[back["clause"]] == "SHOULD":
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
    """The owned form of a string or bytes; `index` is that of the small form."""
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
            # The key of DLTensor* is newer than its index.
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


# Payloads


def test_payloads_are_what_their_maker_makes(tmp_path: Path) -> None:
    text = (HERE / "library_bin.json").read_text(encoding="ascii")
    assert text == make_library_bin.document()


def test_the_maker_tells_a_file_that_it_did_not_make(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    maker = [sys.executable, str(HERE / "make_library_bin.py")]
    subprocess.run([*maker, str(other)], check=True)
    assert other.read_bytes() == (HERE / "library_bin.json").read_bytes()
    subprocess.run([*maker, "--check", str(other)], check=True)
    other.write_text(other.read_text(encoding="ascii").replace("2c00", "2d00", 1), encoding="ascii")
    done = subprocess.run([*maker, "--check", str(other)], capture_output=True, check=False)
    assert done.returncode == 1
    assert b"out of date (run make_library_bin.py)" in done.stderr


def test_schema_of_payloads_refuses_what_does_not_fit() -> None:
    validator = jsonschema.Draft202012Validator(load("library_bin.schema.json"))
    document = load("library_bin.json")
    rows = {row["id"]: row for row in document["payloads"]}
    taken, refused = rows["pair"], rows["one-row"]

    def valid(row: Row) -> bool:
        return validator.is_valid({**document, "payloads": [row, *LIBRARY_BIN]})

    assert valid(taken)
    assert valid(refused)
    for row in (taken, refused):
        for member in row:
            assert not valid({key: row[key] for key in row if key != member}), member
        assert not valid({**row, "unheard_of": 1})
        assert not valid({**row, "bytes": "0"})
    assert not valid({**taken, "verdict": "reject"})
    assert not valid({**refused, "verdict": "accept"})
    assert not valid({**taken, "problem": refused["problem"]})
    library, custom = taken["tree"]
    assert not valid({**taken, "tree": [{**library, "value_hex": ""}, custom]})
    assert not valid({**taken, "tree": [library, {**custom, "kind_hex": "5f6c6962"}]})


def test_payloads_stand_once() -> None:
    assert len({row["id"] for row in LIBRARY_BIN}) == len(LIBRARY_BIN)
    assert len({row["bytes"] for row in LIBRARY_BIN}) == len(LIBRARY_BIN)


def test_payloads_name_clauses_that_exist() -> None:
    """A payload that is loaded must be, a robust library refuses broken ones, the rest is open."""
    levels = clauses("library_bin")
    expected = {"accept": "MUST", "reject": "HARDENING", "unspecified": "UNSPECIFIED"}
    for row in LIBRARY_BIN:
        assert levels[row["clause"]] == expected[row["verdict"]], row["id"]


def test_every_rule_of_a_payload_is_broken_somewhere() -> None:
    schema = load("library_bin.schema.json")
    rules = schema["properties"]["payloads"]["items"]["properties"]["problem"]["properties"]["rule"]
    broken = {row["problem"]["rule"] for row in LIBRARY_BIN if "problem" in row}
    assert broken == set(rules["enum"])


def test_a_payload_is_read_as_its_row_says() -> None:
    for row in LIBRARY_BIN:
        found = read(bytes.fromhex(row["bytes"]))
        if "problem" in row:
            assert found == tuple(row["problem"].values()), row["id"]
        else:
            assert [
                {"kind_hex": kind.hex()}
                | ({} if value is None else {"value_hex": value.hex()})
                | {"imports": list(imports)}
                for kind, value, imports in found
            ] == row["tree"], row["id"]


# The pages


def test_the_bytes_in_the_chapter_are_those_of_the_pair() -> None:
    chapter = (SPEC / "library_bin.md").read_text(encoding="utf-8")
    lines = re.findall(r"^ ([0-9a-f]{4})  ((?:[0-9a-f]{2} )*[0-9a-f]{2})", chapter, re.MULTILINE)
    (pair,) = [row for row in LIBRARY_BIN if row["id"] == "pair"]
    shown = b""
    for offset, digits in lines:
        assert int(offset, 16) == len(shown)
        shown += bytes.fromhex(digits)
    assert shown.hex() == pair["bytes"]


def test_the_example_of_the_page_runs(tmp_path: Path) -> None:
    page = (HERE / "README.md").read_text(encoding="utf-8")
    examples = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(examples) == 1
    mine = tmp_path / "my_loader.py"
    mine.write_text(MY_LOADER, encoding="ascii")

    def run(answer: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", examples[0]],
            cwd=HERE.parent,
            env={**os.environ, "PYTHONPATH": f"{tmp_path}:{HERE}", "ANSWER": answer},
            capture_output=True,
            text=True,
            check=False,
        )

    done = run("right")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"^(\d+) of \1 payloads$", done.stdout, re.MULTILINE)
    assert run("accept").returncode == 1
    assert run("refuse").returncode == 1


MY_LOADER = """
import os
import library_bin_reader

def load(data):
    found = library_bin_reader.read(data)
    if os.environ["ANSWER"] == "accept" and isinstance(found, library_bin_reader.Problem):
        return []
    if os.environ["ANSWER"] == "refuse" or isinstance(found, library_bin_reader.Problem):
        raise ValueError(found)
    return found
"""

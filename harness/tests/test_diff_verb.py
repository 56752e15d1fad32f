# SPDX-License-Identifier: Apache-2.0
"""`tvmffi-conform diff` and this package accept the same reports."""

from __future__ import annotations

import copy
import json
import os
import subprocess
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from report_sample import case, report
from tvmffi_conform import HarnessError
from tvmffi_conform.compare import compare
from tvmffi_conform.document import (
    check_report,
    refuse_duplicates,
    refuse_strangers,
    schema,
)

fastjsonschema = pytest.importorskip("fastjsonschema")

TOOL = os.environ.get("TVMFFI_CONFORM_TOOL", "")
VERDICTS = ("pass", "fail", "skip", "inconclusive", "xfail", "xpass")

pytestmark = pytest.mark.skipif(not TOOL, reason="TVMFFI_CONFORM_TOOL does not name the program")


def diff(folder: Path, old: dict, new: dict) -> subprocess.CompletedProcess[str]:
    (folder / "old.json").write_text(json.dumps(old), encoding="utf-8")
    (folder / "new.json").write_text(json.dumps(new), encoding="utf-8")
    return subprocess.run(
        [TOOL, "diff", "old.json", "new.json", "--report", "json:-"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def pairs(level: str) -> tuple[list[dict], list[dict]]:
    """A case for every pair of verdicts, and for every verdict that one side has alone."""
    old, new = [], []
    for before, after in product((*VERDICTS, None), repeat=2):
        name = f"any.{before}-{after}"
        if before:
            old.append(case(name, before, level=level))
        if after:
            new.append(case(name, after, level=level))
    return old, new


@pytest.mark.parametrize("level", ["MUST", "SHOULD"])
def test_both_compare_alike(tmp_path: Path, level: str) -> None:
    old, new = (report(cases) for cases in pairs(level))
    done = diff(tmp_path, old, new)
    assert done.returncode == 1, done.stderr
    seen = json.loads(done.stdout)
    schema("diff.schema.json").refuse(tmp_path, seen)
    path = Path("r.json")
    expected = compare({"a": check_report(path, old)}, {"a": check_report(path, new)})
    for kind, changes in (
        ("regression", expected.regressions),
        ("fix", expected.fixes),
        ("new", expected.new),
        ("gone", expected.gone),
    ):
        told = [(c["id"], c["old"], c["new"]) for c in seen["changes"] if c["kind"] == kind]
        assert told == [(c.case, c.old, c.new) for c in changes]
        assert seen["counts"][kind] == len(changes)


def test_repetitions(tmp_path: Path) -> None:
    for verdicts in product(VERDICTS, repeat=2):
        old = report([case()])
        new = report([case(verdict=verdict) for verdict in verdicts])
        new["selection"]["repeat"] = 2
        path = Path("r.json")
        expected = compare({"a": check_report(path, old)}, {"a": check_report(path, new)})
        done = diff(tmp_path, old, new)
        told = [(c["old"], c["new"]) for c in json.loads(done.stdout)["changes"]]
        every = [*expected.regressions, *expected.fixes, *expected.new, *expected.gone]
        assert told == [(c.old, c.new) for c in every]
        assert done.returncode == expected.regressed


def every_part(value: object, place: tuple = ()) -> Iterator[tuple]:
    """The places of all members and items below a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, held in items:
        yield (*place, key)
        if isinstance(held, (dict, list)):
            yield from every_part(held, (*place, key))


def rich() -> dict:
    """A report in which nothing is empty or null."""
    crash = {"signal": "SIGSEGV", "address": "0x8", "where": "F+1", "fence": "args"}
    waiver = {"reason": "known", "url": "https://example.org", "expires": "2027-01-31"}
    wild = case("any.wild", "xfail", crash=crash, fail_kind="crash", waiver=waiver)
    wild["output"] = {"text": "x", "bytes": 1}
    wild.update(signature="probed", program="int main(void) {}")
    wild["reason"] = "a reason"
    wild["evidence"][0].update(expected_bytes="0a" * 16, seen_bytes=".." * 8 + "**" * 8)
    made = report([wild])
    made["library"].update(build_id="ab", soname="x.so", sanitizers=["address"])
    made["library"]["functions"]["missing"] = ["TVMFFIGetVersion"]
    made["selection"].update(filters=["a*"], excludes=["b*"], shuffle="7")
    made["selection"]["shard"] = {"index": 1, "count": 2}
    made["device"] = {"asked": "cuda:0", "found": True, "text": "a device"}
    made["unmatched_waivers"] = ["any.x"]
    made["clauses"][0]["until"] = "0.1.9"
    return made


def holder_of(document: dict, place: tuple) -> tuple[dict, dict]:
    """A copy, and what in it holds the value at `place`."""
    made = copy.deepcopy(document)
    holder = made
    for key in place[:-1]:
        holder = holder[key]
    return made, holder


def wrong_ones(whole: dict) -> Iterator[tuple[tuple, dict]]:
    """Copies of a report with one member changed or taken away."""
    for place in every_part(whole):
        for value in changes_of(holder_of(whole, place)[1][place[-1]]):
            made, holder = holder_of(whole, place)
            holder[place[-1]] = value
            yield place, made
        if isinstance(place[-1], str):
            made, holder = holder_of(whole, place)
            del holder[place[-1]]
            yield place, made


def changes_of(held: object) -> list[object]:
    """Values to put in place of one: of other kinds, and of its own, but wrong for most places."""
    others: list[object] = [None]
    if isinstance(held, str):
        others += ["%", "", 1]
    elif isinstance(held, bool):
        others += [1]
    elif isinstance(held, int):
        others += [-1, 0, 0.5, True]
    elif isinstance(held, list):
        others += [[], {}, [*held, {}], [*held, *held]]
    else:
        others += [[], {}, {**held, "more": 1}]
    return others


def harness_takes(document: dict) -> bool:
    try:
        schema().holds(document)
        refuse_duplicates(Path("r.json"), document)
        refuse_strangers(Path("r.json"), document)
    except (HarnessError, fastjsonschema.JsonSchemaException):
        return False
    return document["complete"]


def test_both_read_alike(tmp_path: Path) -> None:
    """Whatever one of the two refuses, the other refuses, member by member."""
    whole = rich()
    assert harness_takes(whole)
    assert diff(tmp_path, whole, whole).returncode == 0
    tried = 0
    for place, document in wrong_ones(whole):
        tried += 1
        done = diff(tmp_path, document, whole)
        assert (done.returncode != 2) == harness_takes(document), (place, done.stderr)
        if done.returncode == 2:
            assert "old.json" in done.stderr
    assert tried > 400

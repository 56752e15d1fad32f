# SPDX-License-Identifier: Apache-2.0
"""`tvmffi-conform diff`: its rules, and that it accepts the reports that this package accepts."""

from __future__ import annotations

import copy
import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from report_sample import case, report
from tvmffi_conform import HarnessError
from tvmffi_conform.document import RANK, refuse_duplicates, refuse_strangers, schema

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


def expected_kind(before: str | None, after: str | None, level: str) -> str | None:
    """What changed from one verdict to another, by the rules of diff.schema.json."""
    was, now = RANK.get(before or ""), RANK.get(after or "")
    if was is not None and now is not None:
        return None if was == now else "regression" if now > was else "fix"
    if now is not None:
        bad = after == "xpass" or (after in ("fail", "inconclusive") and level == "MUST")
        return "regression" if bad else "new"
    return None if was is None else "gone"


@pytest.mark.parametrize("level", ["MUST", "SHOULD"])
def test_every_pair_of_verdicts(tmp_path: Path, level: str) -> None:
    """A case for every pair of verdicts, and for every verdict that one side has alone."""
    old, new, expected = [], [], set()
    for before, after in product((*VERDICTS, None), repeat=2):
        name = f"any.{before}-{after}"
        if before:
            old.append(case(name, before, level=level))
        if after:
            new.append(case(name, after, level=level))
        kind = expected_kind(before, after, level)
        if kind:
            expected.add((name, kind, before, after))
    done = diff(tmp_path, report(old), report(new))
    assert done.returncode == 1, done.stderr
    told = json.loads(done.stdout)
    schema("diff.schema.json").refuse(tmp_path, told)
    assert {(c["id"], c["kind"], c["old"], c["new"]) for c in told["changes"]} == expected
    kinds = Counter(change[1] for change in expected)
    assert {kind: told["counts"][kind] for kind in kinds} == kinds
    assert [c["id"] for c in told["changes"]] == sorted(change[0] for change in expected)


def test_cases_that_race(tmp_path: Path) -> None:
    """They are listed apart, and the exit code is 0."""
    passed, failed = ({**case(verdict=verdict), "races": True} for verdict in ("pass", "fail"))
    for old, new in ((passed, failed), (failed, passed)):
        done = diff(tmp_path, report([old]), report([new]))
        told = json.loads(done.stdout)
        schema("diff.schema.json").refuse(tmp_path, told)
        assert done.returncode == 0
        assert [c["kind"] for c in told["changes"]] == ["racing"]
        assert told["counts"]["racing"] == 1
        assert "1 in cases that race, which do not count" in done.stderr


def test_repetitions(tmp_path: Path) -> None:
    """Of several verdicts of a case, the worst counts."""
    for verdicts in product(VERDICTS, repeat=2):
        old = report([case()])
        new = report([case(verdict=verdict) for verdict in verdicts])
        new["selection"]["repeat"] = 2
        worst = max(verdicts, key=lambda verdict: RANK.get(verdict, -1))
        kind = expected_kind("pass", worst, "MUST")
        done = diff(tmp_path, old, new)
        told = [(c["kind"], c["old"], c["new"]) for c in json.loads(done.stdout)["changes"]]
        assert told == ([(kind, "pass", worst)] if kind else [])
        assert done.returncode == (kind == "regression")


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
    made["verdict"]["gate"]["reason"] = "a reason"
    made["verdict"]["scopes_why"] = "core: selected by --scope"
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

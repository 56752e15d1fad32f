# SPDX-License-Identifier: Apache-2.0
"""Reports are taken whole or refused, with the file, the place, and what to do."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import jsonschema
import pytest
from report_sample import (
    case,
    clause,
    decided,
    group,
    grouped,
    interrupted,
    older,
    report,
    write,
)
from tvmffi_conform import HarnessError
from tvmffi_conform.document import MAX_BYTES, check_report, read_report, schema


def refusal(path: Path, **options: bool) -> str:
    with pytest.raises(HarnessError) as caught:
        read_report(path, **options)
    message = str(caught.value)
    assert message.startswith(str(path))
    return message


def test_a_sound_report_is_read(tmp_path: Path) -> None:
    cases = [case(), case("any.two", "fail", level="SHOULD")]
    read = read_report(write(tmp_path / "r.json", report(cases)))
    assert (read.name, read.version, read.standing) == ("libtvm_ffi.so", "0.1.9", "conforms")
    assert [c.verdict for c in read.cases] == ["pass", "fail"]
    assert read.standings == {"ANY-1": "broken"}
    assert [read.counts(c) for c in read.cases] == [False, False]


@pytest.mark.parametrize("asked", ["stand-in", "cuda:0"])
def test_what_stood_for_devices_is_read(tmp_path: Path, asked: str) -> None:
    document = report()
    document["device"] = {"asked": asked, "found": True, "text": "a device"}
    assert read_report(write(tmp_path / "r.json", document)).standing == "conforms"


@pytest.mark.parametrize("share", [0.1, 0.5, 0.999])
def test_a_report_cut_short_is_refused(tmp_path: Path, share: float) -> None:
    path = write(tmp_path / "r.json", report())
    whole = path.read_text()
    path.write_text(whole[: int(len(whole) * share)])
    message = refusal(path)
    assert "run the suite again" in message
    place = message[len(str(path)) + 1 :].split(":")
    assert place[0] == "1"
    assert int(place[1]) > 1


def test_every_cut_is_refused(tmp_path: Path) -> None:
    text = json.dumps(report([case(title="a \\ \u0007 title")]))
    path = tmp_path / "r.json"
    for length in range(0, len(text), 7):
        path.write_text(text[:length])
        assert "the file is truncated" in refusal(path)


def test_another_schema_version_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "r.json", report(format="tvmffi-conform-report/9"))
    message = refusal(path)
    assert "'tvmffi-conform-report/9'" in message
    assert "'tvmffi-conform-report/1' and 'tvmffi-conform-report/2'" in message
    assert "of the same version" in message


def test_groups_are_cases(tmp_path: Path) -> None:
    made = grouped([group(functions=["f", "g"]), group("kernel.c", functions=None, count=3)])
    read = read_report(write(tmp_path / "r.json", made))
    assert [(c.id, c.verdict, c.reason) for c in read.cases] == [
        ("any.one", "pass", ""),
        ("kernel.b@f", "skip", "why"),
        ("kernel.b@g", "skip", "why"),
        ("kernel.c@f", "skip", "why"),
        ("kernel.c@g", "skip", "why"),
        ("kernel.c@h", "skip", "why"),
    ]
    assert not any(map(read.counts, read.cases))


def test_a_group_counts_its_functions(tmp_path: Path) -> None:
    path = write(tmp_path / "r.json", grouped([group(functions=["f", "g"], count=3)]))
    assert "groups/0: count is 3, but it has 2 functions" in refusal(path)


def test_what_the_headers_do_is_no_deviation(tmp_path: Path) -> None:
    made = group(of_headers=True, reason="the headers do so")
    read = read_report(write(tmp_path / "r.json", grouped([made])))
    assert (read.cases[1].verdict, read.cases[1].reason) == ("skip", "the headers do so")
    assert read.good


def test_a_case_in_a_group_is_listed_once(tmp_path: Path) -> None:
    twice = [group(functions=["f"]), group(functions=["f"], reason="another")]
    assert "kernel.b@f is listed 2 times" in refusal(write(tmp_path / "r.json", grouped(twice)))


def test_an_interrupted_run_is_refused_unless_asked_for(tmp_path: Path) -> None:
    path = write(tmp_path / "r.json", interrupted())
    message = refusal(path)
    assert "interrupted" in message
    assert "--partial" in message
    assert not read_report(path, partial=True).complete


def test_an_incomplete_run_with_a_settled_verdict_is_taken(tmp_path: Path) -> None:
    hung = [case(verdict="fail"), case("any.two", "inconclusive", reason="no time was left")]
    document = {**report(hung), "complete": False}
    document["totals"]["not_run"] = 1
    made = decided(document, "does_not_conform", exit_code=1)
    assert read_report(write(tmp_path / "r.json", made)).settled
    assert "--partial" in refusal(write(tmp_path / "r.json", decided(document)))
    unread = decided({**report([]), "complete": False}, "not_judged", exit_code=3)
    unread["library"] |= {"profile": "none", "sha256": None, "functions": None}
    assert read_report(write(tmp_path / "r.json", unread)).standing == "not_judged"


def test_double_ids_are_refused(tmp_path: Path) -> None:
    message = refusal(write(tmp_path / "r.json", report([case(), case()])))
    assert "any.one is listed 2 times" in message
    double = report(clauses=[clause(), clause()])
    assert "ANY-1 is listed 2 times" in refusal(write(tmp_path / "r.json", double))


def test_a_repeated_case_is_no_double(tmp_path: Path) -> None:
    document = report([case(), case()])
    document["selection"]["repeat"] = 2
    assert len(read_report(write(tmp_path / "r.json", document)).cases) == 2


def test_a_case_may_not_cite_a_clause_that_is_not_there(tmp_path: Path) -> None:
    document = report([case(), case("any.two", clauses=["ANY-2"])], clauses=[clause()])
    assert "cases/1: any.two cites ANY-2" in refusal(write(tmp_path / "r.json", document))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "truncated"),
        (b"[]", "a JSON list"),
        (b'{"format": "\xff"}', "not UTF-8 from byte 12"),
        (b"{]", "not JSON"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b"{}", "format None is not supported"),
    ],
)
def test_what_is_no_report_is_refused(tmp_path: Path, text: bytes, said: str) -> None:
    path = tmp_path / "r.json"
    path.write_bytes(text)
    assert said in refusal(path)


def test_a_file_that_is_not_there_or_too_long(tmp_path: Path) -> None:
    assert "r.json: No such file" in refusal(tmp_path / "r.json")
    with open(tmp_path / "long.json", "wb") as sink:
        sink.truncate(MAX_BYTES + 1)
    assert "is larger than 64 MiB" in refusal(tmp_path / "long.json")


def test_a_packed_report_is_read_and_a_damaged_one_refused(tmp_path: Path) -> None:
    path = tmp_path / "0.1.9.json.gz"
    whole = gzip.compress(json.dumps(report()).encode())
    path.write_bytes(whole)
    assert read_report(path).version == "0.1.9"
    for spoilt in (whole[:-20], b"no gzip", whole[:100] + b"\0" * 8 + whole[108:]):
        path.write_bytes(spoilt)
        assert "truncated or damaged" in refusal(path)
    path.write_bytes(gzip.compress(b"\0" * (MAX_BYTES + 1)))
    assert "is larger than 64 MiB" in refusal(path)


def broken_documents() -> list[tuple[str, object, str]]:
    """Places in a report, what is put there, and how the complaint names the place."""
    return [
        ("conforms", "yes", "conforms"),
        ("totals/fail", -1, "totals/fail"),
        ("cases/0/verdict", "good", "cases/0/verdict"),
        ("cases/0/verdict", "fail", "cases/0/fail_kind"),
        ("cases/0/expectations/held", 0, "cases/0/expectations/held"),
        ("cases/0/clauses", [], "cases/0/clauses"),
        ("cases/0/waiver", {"reason": "x"}, "cases/0/waiver"),
        ("cases/0/id", "no dot", "cases/0/id"),
        ("clauses/0/id", "any-1", "clauses/0/id"),
        ("library/sha256", "0" * 63, "library/sha256"),
        ("library/extra", 1, "library"),
        ("started_at", "yesterday", "started_at"),
        ("jobs", 0, "jobs"),
        ("exit_code", 7, "exit_code"),
    ]


@pytest.mark.parametrize(("place", "value", "named"), broken_documents())
def test_a_report_against_the_schema_is_refused_at_its_place(
    tmp_path: Path, place: str, value: object, named: str
) -> None:
    document = report()
    *path, last = [int(part) if part.isdigit() else part for part in place.split("/")]
    target = document
    for part in path:
        target = target[part]
    target[last] = value
    assert f": {named}: " in refusal(write(tmp_path / "r.json", document))
    # The quick check and the thorough one are of one mind.
    checker = jsonschema.Draft202012Validator(schema().document)
    assert next(checker.iter_errors(document), None) is not None
    assert next(checker.iter_errors(report()), None) is None


def test_a_report_without_one_of_its_parts_is_refused(tmp_path: Path) -> None:
    for key in older(report()):
        document = report()
        del document[key]
        refusal(write(tmp_path / "r.json", document))


def test_what_was_left_out_is_told(tmp_path: Path) -> None:
    document = report()
    document["selection"] |= {"filters": ["any.*"], "shard": {"index": 1, "count": 3}}
    read = read_report(write(tmp_path / "r.json", document))
    assert read.part == "only any.*, shard 1 of 3"


def test_what_contradicts_the_verdict_is_refused(tmp_path: Path) -> None:
    known = report([case(verdict="xfail")])
    assert read_report(write(tmp_path / "r.json", known)).standing == "broken_known"
    for key, value in (("conforms", False), ("exit_code", 1)):
        message = refusal(write(tmp_path / "r.json", {**known, key: value}))
        assert f"{key}: {value!r} contradicts the verdict 'broken_known'" in message


def few_judged(judged: int, of: int) -> list[dict]:
    """Cases of so many clauses; what is not judged was inconclusive, for which nothing counts."""
    rest = range(judged, of)
    advice = [case(f"any.{n}", "inconclusive", clauses=[f"ANY-{n}"], level="SHOULD") for n in rest]
    return [case(f"any.{n}", clauses=[f"ANY-{n}"]) for n in range(judged)] + advice


@pytest.mark.parametrize(
    ("document", "standing"),
    [
        (report(), "conforms"),
        (report([case(verdict="xfail")]), "broken_known"),
        (report([case(verdict="fail")]), "does_not_conform"),
        (report([case(verdict="xpass")]), "does_not_conform"),
        (report([case(verdict="inconclusive")]), "does_not_conform"),
        (report([case(), case("any.two", "fail", level="SHOULD")]), "conforms"),
        (report(unmatched_waivers=["any.gone"]), "does_not_conform"),
        (report([case(verdict="skip")]), "inconclusive"),
        (report(few_judged(1, 2)), "conforms"),
        (report(few_judged(1, 3)), "inconclusive"),
        (interrupted(), "inconclusive"),
    ],
)
def test_an_older_report_gets_the_verdict_of_the_same_rules(
    tmp_path: Path, document: dict, standing: str
) -> None:
    """`report` computes what the program writes."""
    new = read_report(write(tmp_path / "new.json", document), partial=True)
    old = read_report(write(tmp_path / "old.json", older(document)), partial=True)
    assert (new.standing, new.older) == (standing, False)
    assert (old.standing, old.older) == (standing, True)
    for key in ("exit_code", "gate", "must"):
        assert old.verdict[key] == new.verdict[key], key


@pytest.mark.parametrize(
    ("level", "counting"),
    [("MUST", ["any.must"]), ("SHOULD", ["any.must", "any.should"]), ("HARDENING", None)],
)
def test_what_counts_is_what_the_gate_says(level: str, counting: list[str] | None) -> None:
    levels = ("MUST", "SHOULD", "HARDENING")
    cases = [case(f"any.{name.lower()}", "fail", level=name) for name in levels]
    gate = {"name": level.lower(), "level": level, "reason": None, "rules": 0}
    read = check_report(Path("r.json"), decided(report(cases), gate=gate))
    found = [c.id for c in read.cases if read.counts(c)]
    assert found == (counting or [c.id for c in read.cases])


def test_of_a_gate_with_rules_each_case_says_whether_it_counts() -> None:
    gate = {"name": "gate.json", "level": "MUST", "reason": "why", "rules": 3}
    failed = [case("any.must", "fail"), case("any.should", "fail", level="SHOULD")]
    document = decided(report(failed), "does_not_conform", gate=gate)
    must, should = document["cases"]
    del must["counts"]
    should["counts"] = True
    read = check_report(Path("r.json"), document)
    assert [c.id for c in read.cases if read.counts(c)] == ["any.should"]

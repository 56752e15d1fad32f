# SPDX-License-Identifier: Apache-2.0
"""field_kernels.py reads its table, counts verdicts and writes them; nothing is compiled here."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import field_kernels as field
from field_kernels import Bug, Outcome

BUGS = [Bug("add", 0, "adds", "correct"), Bug("add", 1, "subtracts", "formula")]


def case(name: str, verdict: str, level: str) -> dict:
    return {"id": name, "verdict": verdict, "level": level}


@pytest.mark.parametrize("name", field.SETS)
def test_the_table_lists_each_bug_of_the_sources(name: str) -> None:
    kernels = field.TESTS / name
    bugs, unsaid = field.read_bugs(kernels / "kernels.toml")
    assert len(unsaid) >= 8
    assert set(unsaid) == {source.stem for source in kernels.glob("*.cc")}
    for kernel in unsaid:
        numbers = [bug.number for bug in bugs if bug.kernel == kernel]
        source = (kernels / f"{kernel}.cc").read_text(encoding="utf-8")
        assert numbers == sorted(field.numbers_in(source) | {0}), kernel
        # (Those of right kernels have none.)
        assert len(numbers) >= 5 or (name.startswith("field_right") and numbers == [0]), kernel


def named_in(function: ast.FunctionDef) -> str:
    """What `@kernel(name=...)` says the function is called; "" if it says nothing."""
    for decorator in function.decorator_list:
        for keyword in getattr(decorator, "keywords", []):
            if keyword.arg == "name" and isinstance(keyword.value, ast.Constant):
                return str(keyword.value.value)
    return ""


@pytest.mark.parametrize("name", field.SETS)
def test_each_kernel_has_a_description_of_its_exports(name: str) -> None:
    for source in (field.TESTS / name).glob("*.cc"):
        text = source.read_text(encoding="utf-8")
        if source.with_suffix(".json").exists():
            functions = list(json.loads(source.with_suffix(".json").read_text())["functions"])
        else:
            tree = ast.parse(source.with_suffix(".py").read_text(encoding="utf-8"))
            functions = [
                named_in(node) or node.name
                for node in tree.body
                if isinstance(node, ast.FunctionDef) and node.decorator_list
            ]
        assert functions, source.name
        for function in functions:
            exported = rf"(_FUNC|_PACKED)\({function},|__tvm_ffi_{function}\("
            assert re.search(exported, text), source.name


def test_a_description_in_python_becomes_a_signature_file(tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    path = field.signature_file("sliding_max", field.TESTS / "field_unseen", tmp_path)
    functions = json.loads(path.read_text(encoding="utf-8"))["functions"]
    assert functions["sliding_max"]["calls"]


def test_only_failures_of_must_cases_count_as_failed() -> None:
    found = field.outcome(
        1,
        [case("a", "fail", "MUST"), case("b", "fail", "SHOULD"), case("c", "pass", "MUST")],
    )
    assert found == Outcome(1, ("a",), ("b",))


@pytest.mark.parametrize(
    ("outcome", "verdict"),
    [(Outcome(0), "conforms"), (Outcome(None), "timeout"), (Outcome(77), "exit 77")],
)
def test_verdicts_have_names(outcome: Outcome, verdict: str) -> None:
    assert outcome.verdict == verdict


def test_a_case_that_fails_on_the_correct_kernel_does_not_tell_a_bug() -> None:
    correct = Outcome(1, ("a@add",), ("b@add",))
    assert field.new_to(correct, Outcome(1, ("a@add",), ("b@add",))) == ""
    assert field.new_to(correct, Outcome(1, ("a@add", "c@add"))) == "`c`"
    assert field.new_to(correct, Outcome(0, (), ("b@add", "d@add"))) == "`d` (warned)"


def test_counts_tell_caught_bugs_from_failed_kernels() -> None:
    results = {
        ("add", 0, "with"): Outcome(1, ("a",)),
        ("add", 1, "with"): Outcome(1, ("a",)),
        ("add", 0, "without"): Outcome(5),
        ("add", 1, "without"): Outcome(None, (), ("w",)),
    }
    counted = field.counts(BUGS, results, "with")
    assert counted["of these failed (exit 1)"] == 1
    assert counted["bugs with exit 1"] == 1
    assert counted["of these by a case that the correct kernel passes"] == 0
    counted = field.counts(BUGS, results, "without")
    assert counted["of these inconclusive (exit 5)"] == 1
    assert counted["bugs with exit 1"] == 0
    assert counted["bugs only warned of"] == 1
    assert counted["timeouts"] == 1


def test_the_page_has_a_row_for_each_variant() -> None:
    results = {(bug.kernel, bug.number, way): Outcome(0) for bug in BUGS for way in field.WAYS}
    page = field.tables("0.1.0", BUGS, results)
    assert "| `add` | (correct) | correct | conforms |  | conforms |  |" in page
    assert "| `add` | subtracts | formula | conforms |  | conforms |  |" in page


def test_a_hanging_run_is_a_timeout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def hang(command: list[str], **_: object) -> None:
        raise subprocess.TimeoutExpired(command, 1)

    monkeypatch.setattr(field.subprocess, "run", hang)
    assert field.judge("tool", tmp_path / "add.so", None, 1) == Outcome(None)


@pytest.mark.parametrize(
    ("status", "errors", "said"),
    [
        (2, "usage\nadd.json:3: unknown member\n\n", "exit code 2 and no report: add.json:3: unk"),
        (-9, "", "signal 9 and no report: it wrote nothing"),
    ],
)
def test_a_run_without_a_report_is_told(
    status: int,
    errors: str,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def end(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, status, "", errors)

    monkeypatch.setattr(field.subprocess, "run", end)
    module = tmp_path / "add-4-0123456789abcdef" / "add.so"
    module.parent.mkdir()
    assert field.judge("tool", module, tmp_path / "add.json", 1) == Outcome(status)
    assert f"add-4, with add.json: {said}" in capsys.readouterr().err


def test_nothing_is_compiled_twice(tmp_path: Path) -> None:
    out = tmp_path / "folder" / "made"
    assert field.compile_once(["cp", __file__], out) != ""
    assert not out.exists()
    out.write_text("made")
    assert field.compile_once(["false"], out) == ""

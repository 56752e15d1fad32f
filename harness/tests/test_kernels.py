# SPDX-License-Identifier: Apache-2.0
"""Typed Python functions: the program, its command and the plugin judge by them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import typing
from pathlib import Path

import pytest
from fake_tool import install
from kernel_source import AXPY, array, source
from report_sample import case, clause, report
from tvmffi_conform import HarnessError
from tvmffi_conform.cli import app
from tvmffi_conform.kernels import write_described, write_judged_by
from typer.testing import CliRunner

np = pytest.importorskip("numpy")
pytest_plugins = ("pytester",)
TOOL = os.environ.get("TVMFFI_CONFORM_TOOL", "")
MODULES = Path(TOOL).resolve().parents[1] / "conformance" / "tests" / "kernels" if TOOL else None


def test_a_signature_file_has_its_results_from_an_oracle(tmp_path: Path) -> None:
    told = {
        "functions": {
            "twice": {
                "parameters": [
                    {"name": "x", "kind": "tensor", "dtype": "int32", "shape": ["n"], "role": "in"},
                    {
                        "name": "y",
                        "kind": "tensor",
                        "dtype": "int32",
                        "shape": ["n"],
                        "role": "out",
                    },
                ]
            }
        }
    }
    (tmp_path / "k.json").write_text(json.dumps(told))
    (tmp_path / "oracle.py").write_text("def double(x, y):\n    return {'y': 2 * x}\n")
    path = write_judged_by(
        tmp_path / "k.json", f"{tmp_path / 'oracle.py'}:double", tmp_path / "out"
    )
    calls = json.loads(path.read_text())["functions"]["twice"]["calls"]
    assert calls
    for call in calls:
        x = array(tmp_path, call["arguments"]["x"])
        assert np.array_equal(array(tmp_path, call["expected"]["y"]), 2 * x)
    with pytest.raises(HarnessError, match="has no function triple"):
        write_judged_by(tmp_path / "k.json", f"{tmp_path / 'oracle.py'}:triple", tmp_path / "out")


README = Path(__file__).resolve().parents[1] / "README.md"
BLOCKS = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("text", BLOCKS)
def test_what_the_page_shows_is_written(text: str, tmp_path: Path) -> None:
    if "NotRequired" in text and not hasattr(typing, "NotRequired"):
        pytest.skip("typing.NotRequired is of Python 3.11")
    (tmp_path / "page.py").write_text(text)
    path = write_described(tmp_path / "page.py", tmp_path / "out")
    functions = json.loads(path.read_text())["functions"]
    for function in functions.values():
        served = [call for call in function["calls"] if "expected" in call]
        states = function["result"]["kind"] != "object"
        assert len(served) >= states * (len(function["calls"]) // 2)
    if "segments" in text:
        blocks = {call["arguments"]["block"] for call in served}
        assert blocks >= {16, 8, 1, 4096}
        assert {call["arguments"]["counts"] is None for call in served} == {True, False}
        modes = {call["arguments"]["options"]["mode"] for call in served}
        assert modes == {"sum", "mean"}
    if "Tally" in text:
        steps = functions["tally"]["sequences"][0]["steps"]
        assert [step["expected"]["result"] for step in (steps[1], steps[3])] == ["7", "7"]


# --- The command and the plugin ----------------------------------------------------------------


def test_the_command_judges_with_what_it_wrote(tmp_path: Path) -> None:
    program = install(tmp_path / "bin")
    library = tmp_path / "k.so"
    library.write_text("bad 1")
    words = ["kernels", str(source(tmp_path, AXPY)), str(library), "--tool", str(program)]
    done = CliRunner().invoke(app, [*words, "-o", str(tmp_path / "out")])
    assert done.exit_code == 1
    assert json.loads((tmp_path / "out" / "signatures.json").read_text())["functions"]["axpy"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["k.json"], "needs --oracle"),
        (["k.py", "--oracle", "m"], "takes no --oracle"),
        (["k.py"], "nothing to do"),
    ],
)
def test_the_command_refuses_half_of_what_it_needs(words: list[str], told: str) -> None:
    done = CliRunner().invoke(app, ["kernels", *words])
    assert isinstance(done.exception, HarnessError)
    assert told in str(done.exception)


def test_pytest_judges_by_typed_functions(pytester: pytest.Pytester) -> None:
    root = pytester.path
    program = install(root / "bin")
    source(root, AXPY)
    document = report([case("any.passes")], clauses=[clause("ANY-1")])
    (root / "k.so").write_text(f"told {json.dumps(document)}")
    options = ["-p", "tvmffi_conform.pytest_plugin", "-p", "no:cacheprovider"]
    options += ["--tvmffi-conform", "k.so", "--tvmffi-conform-tool", str(program)]
    done = pytester.runpytest(*options, "--tvmffi-conform-kernels", "kernels.py")
    done.assert_outcomes(passed=1)
    done = pytester.runpytest(*options, "--tvmffi-conform-kernels", "missing.py")
    assert done.ret != 0
    done.stdout.fnmatch_lines(["*missing.py: no such Python file*"])


ADD_ONE = """
@kernel
def add_one(x: Tensor[np.float32, "n"], y: Out[Tensor[np.float32, "n"]]) -> None:
    y[...] = x + 1
"""


@pytest.mark.skipif(not TOOL, reason="TVMFFI_CONFORM_TOOL does not name the program")
@pytest.mark.parametrize(("name", "status"), [("add_one_right", 0), ("add_one_adds_two", 1)])
def test_the_program_judges_by_what_a_function_returns(
    name: str, status: int, tmp_path: Path
) -> None:
    assert MODULES is not None
    report_file = tmp_path / "report.json"
    words = ["kernels", str(source(tmp_path, ADD_ONE)), str(MODULES / f"{name}.so")]
    words += ["--tool", TOOL, "--report", f"json:{report_file}"]
    assert CliRunner().invoke(app, words).exit_code == status
    failed = [
        one for one in json.loads(report_file.read_text())["cases"] if one["verdict"] == "fail"
    ]
    assert any(one["id"].startswith("kernel.choice-is-served") for one in failed) == bool(status)


@pytest.mark.skipif(not TOOL, reason="TVMFFI_CONFORM_TOOL does not name the program")
@pytest.mark.parametrize(("first", "status"), [(41, 0), (40, 2)])
def test_a_call_with_files_is_the_example(first: int, status: int, tmp_path: Path) -> None:
    """In the sandbox, too, where what reads signature files can't open others."""
    assert MODULES is not None
    assert TOOL is not None
    np.save(tmp_path / "x.npy", np.arange(first, first + 5, dtype=np.float32))
    x = {"name": "x", "kind": "tensor", "dtype": "float32", "shape": "n"}
    function = {
        "parameters": [x, {**x, "name": "y", "role": "out"}],
        "where": ["x[0] == 41"],
        "checks": False,
        "combinations": "calls",
        "calls": [{"arguments": {"x": {"npy": "x.npy"}}, "expected": {"y": "x + 1"}}],
    }
    signatures = tmp_path / "signatures.json"
    signatures.write_text(json.dumps({"functions": {"add_one": function}}))
    command = [TOOL, str(MODULES / "add_one_right.so"), "--signatures", str(signatures)]
    done = subprocess.run([*command, "-v"], capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    if status:
        assert "functions.add_one: no example call could be made: where" in done.stderr
    else:
        assert re.search(r"promised right +calls\[0\]", done.stdout)


@pytest.mark.skipif(not TOOL, reason="TVMFFI_CONFORM_TOOL does not name the program")
@pytest.mark.parametrize(("name", "status"), [("found_two_widths", 0), ("found_one_width", 1)])
def test_integers_of_files_are_tried_in_another_width(
    name: str, status: int, tmp_path: Path
) -> None:
    """What a file holds is read as numbers where the tensor is of another type."""
    assert MODULES is not None
    assert TOOL is not None
    at = np.array([2, 0, 3, 3, 1, 2], np.int64 if status == 0 else np.int32)
    np.save(tmp_path / "at.npy", at)
    np.save(tmp_path / "x.npy", np.array([5, 7, 1, 9], np.float32))
    tensor = {"kind": "tensor", "dtype": "float32"}
    x = {**tensor, "name": "x", "shape": "n"}
    where = {**tensor, "name": "where", "dtype": ["int32", "int64"], "shape": "m"}
    y = {**tensor, "name": "y", "shape": "m", "role": "out"}
    call = {"arguments": {"x": {"npy": "x.npy"}, "where": {"npy": "at.npy"}}}
    function = {
        "parameters": [x, {**where, "min": 0, "max": "n - 1"}, y],
        "combinations": "calls",
        "example": "calls",
        "calls": [call],
    }
    signatures = tmp_path / "signatures.json"
    signatures.write_text(json.dumps({"functions": {"found": function}}))
    case = "buffer.indices-of-either-width@found"
    command = [TOOL, str(MODULES / f"{name}.so"), "--signatures", str(signatures)]
    command += ["--filter", case, "-v"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    assert f"{'FAIL' if status else 'pass'}  {case}" in done.stdout

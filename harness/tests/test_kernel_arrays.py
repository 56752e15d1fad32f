# SPDX-License-Identifier: Apache-2.0
"""Arrays of tensors whose shapes differ from element to element."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from tvmffi_conform.cli import app
from tvmffi_conform.drawn import draw_calls
from tvmffi_conform.examples import Draw
from tvmffi_conform.kernels import described_in, write_described
from typer.testing import CliRunner

np = pytest.importorskip("numpy")
TOOL = os.environ.get("TVMFFI_CONFORM_TOOL", "")
MODULES = Path(TOOL).resolve().parents[1] / "conformance" / "tests" / "kernels_cpp"
SWELL = """
import numpy as np
from tvmffi_conform.kernels import Out, Tensor, kernel

MATRIX = {"layout": "contiguous"}


@kernel(
    sizes={"p": [3, 1], SIZES},
    parameters={"xs": {"length": "p"}, "ys": {"length": "p"}},
    calls=[
        {"arguments": {
          "xs": [np.ones((1, 2), np.float32), np.ones((4, 2), np.float32)],
          "ys": [{"shape": [1, 2]}, {"shape": [4, 2]}], "factor": 2}}
    ],
)
def swell(
    xs: list[Tensor[np.float32, "?n d", MATRIX]],
    ys: list[Out[Tensor[np.float32, "?n d", MATRIX]]],
    factor: float,
) -> list[Tensor[np.float32, "?n"]]:
    for x, y in zip(xs, ys):
        y[...] = x * np.float32(factor)
    return [y.sum(axis=1) for y in ys]
"""


def source(folder: Path, sizes: str) -> Path:
    path = folder / "kernels.py"
    path.write_text(SWELL.replace("SIZES", sizes))
    return path


def shapes(folder: Path, sizes: str) -> list[list[tuple[int, ...]]]:
    """Those of `xs` in each drawn call; `ys` has the same."""
    signature = described_in(source(folder, sizes))[-1].signature()
    drawn = []
    for call in draw_calls("swell", signature):
        xs, ys = call["xs"], call["ys"]
        assert [x.shape for x in xs] == [y.shape for y in ys]
        drawn.append([x.shape for x in xs])
    assert drawn
    return drawn


def test_elements_have_shapes_of_their_own(tmp_path: Path) -> None:
    drawn = shapes(tmp_path, '"d": 4')
    assert any(len({shape[0] for shape in call}) == 3 for call in drawn)
    assert all(shape[1] == 4 for call in drawn for shape in call)


def test_listed_sizes_are_taken_in_turn(tmp_path: Path) -> None:
    rows = [[shape[0] for shape in call] for call in shapes(tmp_path, '"n": [5, 0], "d": 4')]
    assert [5, 0, 5] in rows
    assert [0, 5, 0] in rows
    assert [0] in rows


def test_a_given_array_says_the_shapes(tmp_path: Path) -> None:
    signature = described_in(source(tmp_path, '"n": [5, 0], "d": [4, 2]'))[-1].signature()
    given = [np.ones((1, 2), np.float32), np.ones((7, 2), np.float32)]
    drawn = Draw(signature, {}, "seed", fixed={"xs": given}).arguments()
    assert [y.shape for y in drawn["ys"]] == [(1, 2), (7, 2)]


LONG = """
from typing import Annotated

import numpy as np
from tvmffi_conform.kernels import Examples, Range, kernel


@kernel
def stairs(n: Annotated[int, Range(0, MOST), Examples(5, MOST)]) -> list[KIND]:
    return [VALUE for i in range(n)]
"""


def expected_of(folder: Path, kind: str, value: str) -> tuple[dict[int, dict], list[str]]:
    """What is expected, by the length, and what was left out."""
    (folder / "kernels.py").write_text(
        LONG.replace("KIND", kind).replace("VALUE", value).replace("MOST", "2000")
    )
    notes: list[str] = []
    path = write_described(folder / "kernels.py", folder / "out", notes.append)
    calls = json.loads(path.read_text())["functions"]["stairs"]["calls"]
    return {call["arguments"]["n"]: call.get("expected", {}) for call in calls}, notes


@pytest.mark.parametrize(
    ("kind", "value"), [("int", "i * i"), ("float", "i / 2"), ("bool", "i % 2 == 0")]
)
def test_a_long_result_stands_in_a_file(tmp_path: Path, kind: str, value: str) -> None:
    expected, _ = expected_of(tmp_path, kind, value)
    assert expected[5]["result"].startswith("(")
    numbers = np.load(tmp_path / "out" / expected[2000]["result"]["npy"])
    assert numbers.tolist() == [eval(value, {"i": i}) for i in range(2000)]


def test_a_result_of_many_parts_is_left_out(tmp_path: Path) -> None:
    expected, notes = expected_of(tmp_path, "str", "str(i)")
    assert 5 in expected
    assert 2000 not in expected
    assert re.search("left out: it comes to 2000 parts, more than 128", "".join(notes))


@pytest.mark.skipif(not TOOL, reason="needs the program")
@pytest.mark.parametrize(("kernel", "code"), [("right", 0), ("end", 1)])
def test_long_results_are_judged(tmp_path: Path, kernel: str, code: int) -> None:
    module = MODULES / f"stairs_{kernel}.so"
    if not module.exists():
        pytest.skip("needs kernels in C++")
    text = LONG.replace("KIND", "int").replace("VALUE", "i * i").replace("MOST", "500")
    (tmp_path / "kernels.py").write_text(text)
    done = CliRunner().invoke(app, ["kernels", str(tmp_path / "kernels.py"), str(module)])
    assert done.exit_code == code, done.output


@pytest.mark.skipif(not TOOL, reason="needs the program")
@pytest.mark.parametrize(("kernel", "code"), [("right", 0), ("longer_ys", 1), ("longest_sums", 1)])
def test_kernels_of_pairs_are_judged(tmp_path: Path, kernel: str, code: int) -> None:
    module = MODULES / f"swell_{kernel}.so"
    if not module.exists():
        pytest.skip("needs kernels in C++")
    path = source(tmp_path, '"n": [3, 1, 20], "d": [4, 2]')
    done = CliRunner().invoke(app, ["kernels", str(path), str(module)])
    assert done.exit_code == code, done.output


def test_arrays_with_checksums_of_their_own_have_files_of_their_own(tmp_path: Path) -> None:
    import zlib

    from tvmffi_conform.answers import CallFiles

    files = CallFiles(tmp_path / "arrays", "seal")
    paths = set()
    for value in range(4):
        body = bytes([value, 2, 3, 4])
        array = np.frombuffer(body + zlib.crc32(body).to_bytes(4, "little"), np.uint8)
        path = tmp_path / files.array(array)["npy"]
        assert np.array_equal(np.load(path), array)
        paths.add(path)
    assert len(paths) == 4

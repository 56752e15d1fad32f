# SPDX-License-Identifier: Apache-2.0
"""Arrays of tensors whose shapes differ from element to element."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tvmffi_conform.cli import app
from tvmffi_conform.examples import Draw, draw_calls
from tvmffi_conform.kernels import described_in
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


@pytest.mark.skipif(not TOOL, reason="needs the program")
@pytest.mark.parametrize(("kernel", "code"), [("right", 0), ("longer_ys", 1), ("longest_sums", 1)])
def test_kernels_of_pairs_are_judged(tmp_path: Path, kernel: str, code: int) -> None:
    module = MODULES / f"swell_{kernel}.so"
    if not module.exists():
        pytest.skip("needs kernels in C++")
    path = source(tmp_path, '"n": [3, 1, 20], "d": [4, 2]')
    done = CliRunner().invoke(app, ["kernels", str(path), str(module)])
    assert done.exit_code == code, done.output

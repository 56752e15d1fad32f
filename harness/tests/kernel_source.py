# SPDX-License-Identifier: Apache-2.0
"""Typed Python functions for tests, and what is written for them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tvmffi_conform.kernels import described_in, write_described

np = pytest.importorskip("numpy")

HEAD = """
from typing import Annotated, Any, Callable, Dict, List, Literal, Optional, Tuple, TypeVar, Union
import numpy as np
from tvmffi_conform.kernels import (
    Device, DType, Examples, InOut, Object, Out, Range, Retained, Shape, Tensor, Values, kernel
)
T = TypeVar("T", np.float32, np.float64)
"""
AXPY = """
@kernel(sizes={"n": [5, 1000]})
def axpy(alpha: float, x: Tensor[T, "n"], y: Tensor[T, "n"], out: Out[Tensor[T, "n"]]) -> None:
    out[...] = alpha * x + y
"""
TOPK = """
@kernel
def topk(
    x: Tensor[np.float32, "n"], k: Annotated[int, Range(1, "n")]
) -> Tuple[Tensor[np.float32, "k"], Tensor[np.int64, "k"]]:
    order = np.argsort(-x, kind="stable")[:k]
    return x[order], order
"""


def source(folder: Path, text: str, head: str = HEAD) -> Path:
    path = folder / "kernels.py"
    path.write_text(head + text)
    return path


def signature(folder: Path, text: str) -> dict:
    """The signature of the last kernel of a text."""
    return described_in(source(folder, text))[-1].signature()


def functions(
    folder: Path, text: str, notes: list[str] | None = None, head: str = HEAD
) -> dict[str, dict]:
    """The functions of the signature file for a text."""
    said = notes if notes is not None else []
    path = write_described(source(folder, text, head), folder / "out", said.append)
    return json.loads(path.read_text())["functions"]


def written(folder: Path, text: str) -> dict:
    """What the signature file for a text holds of its last kernel."""
    return list(functions(folder, text).values())[-1]


def array(folder: Path, told: dict) -> object:
    return np.load(folder / "out" / told["npy"], allow_pickle=False)

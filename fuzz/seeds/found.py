# SPDX-License-Identifier: Apache-2.0
"""Inputs that fuzzing found worth keeping: corpus/NAME.hex, one a line."""

from __future__ import annotations

from pathlib import Path

CORPUS = Path(__file__).resolve().parents[1] / "corpus"


def write(folder: Path, name: str) -> None:
    """Writes them into the folder, a file each."""
    path = CORPUS / f"{name}.hex"
    lines = path.read_text().split() if path.exists() else []
    for number, line in enumerate(lines):
        (folder / f"found-{number}").write_bytes(bytes.fromhex(line))

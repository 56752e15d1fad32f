# SPDX-License-Identifier: Apache-2.0
"""The official releases that tests use: those that runtimes.txt names, oldest first."""

from __future__ import annotations

from pathlib import Path

LIST = Path(__file__).resolve().with_name("runtimes.txt")
LINES = [line.strip() for line in LIST.read_text(encoding="utf-8").splitlines()]
RELEASES = [line for line in LINES if line[:1].isdigit()]
NEWEST = RELEASES[-1]  # the reference follows its headers

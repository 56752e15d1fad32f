#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs pytest in a Python that has what the tests need: run_pytest.py [--needs MODULE] ARG...

The project's own .venv comes first, then the Python that runs this file. Where neither has pytest
and every needed module, the tests are skipped: exit status 77, with the reason. The arguments are
pytest's.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SKIPPED = 77


def candidates(root: Path) -> list[str]:
    own = root / ".venv" / "bin" / "python"
    return [str(own), sys.executable] if own.exists() else [sys.executable]


def has_modules(python: str, modules: Sequence[str]) -> bool:
    program = "; ".join(f"import {module}" for module in modules)
    done = subprocess.run([python, "-c", program], stderr=subprocess.DEVNULL, check=False)
    return done.returncode == 0


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("--needs", action="append", default=[], metavar="MODULE")
    options, rest = parser.parse_known_args(arguments)
    modules = ["pytest", *options.needs]
    for python in candidates(root):
        if has_modules(python, modules):
            command = [python, "-m", "pytest", "-p", "no:cacheprovider", *rest]
            return subprocess.run(command, check=False).returncode
    print(
        f"SKIPPED: no Python here has {' and '.join(modules)}; `make deps` installs them into .venv"
    )
    return SKIPPED


if __name__ == "__main__":
    sys.exit(main())

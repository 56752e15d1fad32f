# SPDX-License-Identifier: Apache-2.0
"""The command tvmffi-conform of an installed package: becomes the C program that came with it."""

from __future__ import annotations

import os
import sys

from .tool import BUNDLED


def main() -> None:
    """Does not return. Exit code 4, a fault of the suite: the program is not there."""
    try:
        os.execv(BUNDLED, [str(BUNDLED), *sys.argv[1:]])
    except OSError as error:
        print(f"tvmffi-conform: cannot start {BUNDLED}: {error.strerror}", file=sys.stderr)
        raise SystemExit(4) from error

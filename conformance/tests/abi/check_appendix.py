# SPDX-License-Identifier: Apache-2.0
"""Checks that spec/appendix.md is what the tables say: check_appendix.py PROGRAM PAGE."""

from __future__ import annotations

import difflib
import subprocess
import sys
from pathlib import Path


def main() -> None:
    program, page = sys.argv[1:]
    made = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    written = Path(page).read_text(encoding="utf-8")
    if made == written:
        print(f"{len(made.splitlines())} lines agree")
        return
    lines = difflib.unified_diff(
        written.splitlines(), made.splitlines(), "page", "tables", "", "", 0
    )
    shown = "\n".join(list(lines)[:20])
    sys.exit(f"{page} is not up to date: `ninja appendix_page` writes it\n{shown}")


if __name__ == "__main__":
    main()

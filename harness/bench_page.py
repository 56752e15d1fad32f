#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how pages of reports open, beside what they aim for: bench_page.py DIR [PAGE]

DIR is a folder of reports, as reports/official is, of which twenty are drawn; PAGE is a page that
is there, such as reports/index.html. Nothing is judged here; the exit status is 0 whatever the
numbers are.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

IMPLEMENTATIONS = 20
ROUNDS = 5
MB = 1_000_000
LOADED = "performance.getEntriesByType('navigation')[0].loadEventEnd"


def opening_times(page: Path, chromium: str) -> list[float]:
    """Milliseconds from the call for the page until all of it stands, in some rounds."""
    from playwright import sync_api

    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_api.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=arguments)
        tab = browser.new_page(viewport={"width": 1400, "height": 900})
        took = []
        for _ in range(ROUNDS):
            tab.goto(page.as_uri())
            took.append(tab.evaluate(LOADED))
        browser.close()
    return took


def measured(page: Path) -> str:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if not chromium:
        return "not measured: chromium is not installed"
    try:
        took = opening_times(page, chromium)
    except ImportError:
        return "not measured: playwright is not installed"
    return f"{min(took):.0f} ms, the fastest of {ROUNDS}"


def tell(title: str, page: Path) -> None:
    print(title)
    print(f"  {'its size':<46} {page.stat().st_size / MB:>19.1f} MB  (target 3 MB)")
    print(f"  {'opening it':<46} {measured(page)}  (target 1 s)")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reports", type=Path, metavar="DIR", help="a folder of reports")
    parser.add_argument("page", type=Path, nargs="?", metavar="PAGE", help="a page drawn before")
    options = parser.parse_args(arguments)
    try:
        from tvmffi_conform.gather import collect
        from tvmffi_conform.page import page as drawn
    except ImportError as error:
        print(f"a page of reports: not measured, since {error.name} is not installed (make python)")
        return 0
    chosen = sorted(options.reports.glob("*.json*"))[:IMPLEMENTATIONS]
    with tempfile.TemporaryDirectory() as scratch:
        page = Path(scratch) / "page.html"
        page.write_text(drawn(collect(chosen)), encoding="utf-8")
        tell(f"a page of {len(chosen)} implementations", page)
        if options.page:
            tell(str(options.page), options.page.resolve())
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes the pictures that README.md shows, of a page of reports: draw_pictures.py REPORT... -o DIR

In DIR: matrix.png, the matrix of all reports; case.png, the case that --case names.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

CASE = "any.own-dirty-view-gives-clean-padding.int"
WIDTH, SCALE, MARGIN = 920, 1.25, 16
# The frame of an element, from the top of the page: a margin collapses with what stands before.
FRAME = """element => {
  const box = element.getBoundingClientRect();
  return {x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height};
}"""


def take(page: Path, case: str, folder: Path, chromium: str) -> None:
    """Opens the page, and writes pictures of two of its elements, with a margin at their sides."""
    from playwright import sync_api

    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_api.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=arguments)
        size = {"width": WIDTH, "height": 1000}
        for name, element in (("matrix", "matrix"), ("case", f"case-{case}")):
            tab = browser.new_page(viewport=size, color_scheme="light", device_scale_factor=SCALE)
            tab.goto(f"{page.as_uri()}#{element}")
            clip = tab.locator(f"[id='{element}']").evaluate(FRAME)
            clip |= {"x": clip["x"] - MARGIN, "width": clip["width"] + 2 * MARGIN}
            tab.evaluate("document.activeElement.blur()")
            tab.screenshot(path=folder / f"{name}.png", clip=clip, full_page=True)
            tab.close()
        browser.close()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reports", type=Path, nargs="+", metavar="REPORT")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR")
    parser.add_argument("--case", default=CASE, metavar="ID", help="the one that is shown open")
    options = parser.parse_args(arguments)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if not chromium:
        sys.exit("draw_pictures: chromium is not installed; on Debian: apt-get install chromium")
    try:
        from tvmffi_conform.gather import collect
        from tvmffi_conform.page import page as drawn

        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "page.html"
            page.write_text(drawn(collect(options.reports)), encoding="utf-8")
            take(page, options.case, options.output, chromium)
    except ImportError as error:
        sys.exit(f"draw_pictures: {error.name} is not installed; `make python` installs it")
    return 0


if __name__ == "__main__":
    sys.exit(main())

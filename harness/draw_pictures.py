#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes the pictures that README.md shows, of a page of reports: draw_pictures.py REPORT... -o DIR

In DIR: matrix.png, how the page begins: its first sentence and the deviations by release; case.png,
the case that --case names.
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
MARGIN = 16
# Of each picture: the first and the last element that it shows, how wide the page is, and how many
# dots of the picture a dot of it has.
PICTURES = {
    "matrix": ("body > header", "#releases .legend", 1400, 1),
    "case": ("{case}", "{case}", 920, 1.25),
}
# The frame of an element, from the top of the page: a margin collapses with what stands before.
FRAME = """element => {
  const box = element.getBoundingClientRect();
  return {x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height};
}"""


def take(page: Path, case: str, folder: Path, chromium: str) -> None:
    """Opens the page, and writes pictures of parts of it, with a margin at their sides."""
    from playwright import sync_api

    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_api.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=arguments)
        for name, (first, last, width, scale) in PICTURES.items():
            size = {"width": width, "height": 1000}
            tab = browser.new_page(viewport=size, color_scheme="light", device_scale_factor=scale)
            tab.goto(page.as_uri() + (f"#case-{case}" if name == "case" else ""))
            ends = [
                tab.locator(place.format(case=f"[id='case-{case}']")).first.evaluate(FRAME)
                for place in (first, last)
            ]
            left, top = ends[0]["x"] - MARGIN, ends[0]["y"]
            clip = {"x": left, "y": top, "width": ends[0]["width"] + 2 * MARGIN}
            clip["height"] = ends[1]["y"] + ends[1]["height"] - top
            tab.evaluate("document.activeElement.blur()")
            tab.screenshot(path=folder / f"{name}.png", clip=clip, full_page=True)
            tab.close()
        browser.close()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reports", type=Path, nargs="+", metavar="REPORT")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR")
    parser.add_argument("--trophies", type=Path, metavar="FILE.toml", help="what was investigated")
    parser.add_argument("--case", default=CASE, metavar="ID", help="the one that is shown open")
    options = parser.parse_args(arguments)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if not chromium:
        sys.exit("draw_pictures: chromium is not installed; on Debian: apt-get install chromium")
    try:
        from tvmffi_conform.gather import collect
        from tvmffi_conform.page import page as drawn
        from tvmffi_conform.trophies import read_trophies

        found = read_trophies(options.trophies) if options.trophies else []
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "page.html"
            page.write_text(drawn(collect(options.reports), trophies=found), encoding="utf-8")
            take(page, options.case, options.output, chromium)
    except ImportError as error:
        sys.exit(f"draw_pictures: {error.name} is not installed; `make python` installs it")
    return 0


if __name__ == "__main__":
    sys.exit(main())

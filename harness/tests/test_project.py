# SPDX-License-Identifier: Apache-2.0
"""The project's own pages: the index, the links, and the version."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOL = os.environ.get("TVMFFI_CONFORM_TOOL", "")
LINK = re.compile(r"\]\(([^()\s]+)\)")
RELEASE = re.compile(r"^## (\d+\.\d+\.\d+) - \d{4}-\d{2}-\d{2}$", re.MULTILINE)
# Built or fetched: pages there are not the project's.
FOREIGN = {"build", "__pycache__"}


def pages() -> list[Path]:
    found = []
    # Other tests make and remove folders where things are built.
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in FOREIGN and name[0] != "."]
        found += [Path(folder, name) for name in files if name.endswith(".md")]
    return sorted(found)


def targets(page: Path) -> set[Path]:
    """The files and folders of the project that a page links to."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    links = (link.split("#")[0] for link in LINK.findall(text) if "://" not in link)
    return {(page.parent / link).resolve() for link in links if link}


def version() -> str:
    """The version: CMakeLists.txt states it, everything else reads it from there."""
    cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    found = re.search(r"project\(tvmffi_conform VERSION ([0-9.]+)", cmake)
    assert found
    return found[1]


def test_the_index_links_every_page() -> None:
    # Findings have a page each, which reports/fuzz.md links.
    index = targets(ROOT / "DOCS.md") | targets(ROOT / "reports" / "fuzz.md")
    assert [p for p in pages() if p not in index and p.name != "DOCS.md"] == []


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    assert sorted(str(t.relative_to(ROOT)) for t in targets(page) if not t.exists()) == []


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= 900


def test_every_console_example_is_run() -> None:
    run = "".join(
        (ROOT / "conformance" / "tests" / room / "CMakeLists.txt").read_text(encoding="utf-8")
        for room in ("docs", "runtimes")
    )
    marked = [p for p in pages() if "<!-- test: run -->" in p.read_text(encoding="utf-8")]
    assert len(marked) == 4
    assert [p for p in marked if f"${{PROJECT_SOURCE_DIR}}/{p.relative_to(ROOT)}" not in run] == []


def test_the_changelog_has_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    releases = RELEASE.findall(text)
    assert releases[0] == version()
    assert releases == sorted(releases, key=lambda v: [*map(int, v.split("."))], reverse=True)
    assert "\n## Unreleased\n" in text


@pytest.mark.skipif(not TOOL, reason="TVMFFI_CONFORM_TOOL does not name the program")
def test_the_program_has_this_version() -> None:
    printed = subprocess.run([TOOL, "--version"], capture_output=True, text=True, check=True)
    assert printed.stdout.startswith(f"tvmffi-conform {version()},")

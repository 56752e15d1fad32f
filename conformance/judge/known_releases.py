# SPDX-License-Identifier: Apache-2.0
"""Writes known_releases.def from the stored reports on official releases:

known_releases.py REPORTS known_releases.def [--check]

The table is kept, not made by each build: a source distribution lacks the reports.
"""

import gzip
import json
import re
import sys
from pathlib import Path

HEAD = """\
// SPDX-License-Identifier: Apache-2.0
// The libraries of official releases, oldest first, as the reports on them have them.
// known_releases.py writes this file from those reports, and a test compares the two. Where
// releases have one and the same library, the newest of them stands here.
// Include this file with KNOWN_RELEASE(version, build_id, sha256) defined; it undefines it again.

"""


def order(name: str) -> list[int]:
    return [int(digits) for digits in re.findall(r"[0-9]+", name)]


def table(reports: Path) -> str:
    releases: dict[str, tuple[str, str]] = {}
    for path in reports.glob("*.json.gz"):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            library = json.load(file)["library"]
        version, digest = path.name.removesuffix(".json.gz"), library["sha256"]
        if digest not in releases or order(releases[digest][0]) < order(version):
            releases[digest] = (version, library["build_id"] or "")
    lines = [
        f'KNOWN_RELEASE("{version}", "{build_id}",\n              "{digest}")\n'
        for digest, (version, build_id) in sorted(
            releases.items(), key=lambda item: order(item[1][0])
        )
    ]
    return HEAD + "".join(lines) + "#undef KNOWN_RELEASE\n"


def main() -> None:
    reports, path, *check = sys.argv[1:]
    text = table(Path(reports))
    if not check:
        Path(path).write_text(text, encoding="utf-8")
    elif Path(path).read_text(encoding="utf-8") != text:
        sys.exit(f"{path} is not what the reports say; write it by {sys.argv[0]} {reports} {path}")


if __name__ == "__main__":
    main()

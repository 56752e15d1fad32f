# SPDX-License-Identifier: Apache-2.0
"""The modules embedded in a library, as lines that can be drawn one below the other."""

from __future__ import annotations

from dataclasses import dataclass

MOST_LINES = 300


@dataclass(frozen=True)
class Line:
    """One module below its importer. `again`: it stands above already, with what it imports."""

    depth: int
    parent: int | None
    module: int
    again: bool


def tree_lines(imports: list[list[int]]) -> tuple[list[Line], int]:
    """The tree from module 0 on, and how many modules are not in it.

    `imports[i]` are the modules that module i imports. What is imported twice is drawn once and
    named again; indices of modules that are not listed are left out. At most MOST_LINES lines.
    """
    lines: list[Line] = []
    drawn: set[int] = set()
    open_: list[tuple[int, int, int | None]] = [(0, 0, None)] if imports else []
    while open_ and len(lines) < MOST_LINES:
        module, depth, parent = open_.pop()
        again = module in drawn
        lines.append(Line(depth, parent, module, again))
        if again:
            continue
        drawn.add(module)
        here = len(lines) - 1
        known = [child for child in imports[module][:MOST_LINES] if child < len(imports)]
        open_ += [(child, depth + 1, here) for child in reversed(known)]
    return lines, len(imports) - len(drawn)

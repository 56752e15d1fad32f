# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Optional

from tvmffi_conform.kernels import Examples, Range, kernel


@kernel(
    promises=["repeatable", "fresh"],
    refuses=[{"with": {"separator": ""}, "kind": "ValueError", "message": "separator"}],
    calls=[
        {
            "arguments": {"text": "aXbXXc", "separator": "X", "most": None},
            "expected": {"result[3]": '"c"', "result[2]": '""'},
        },
        {"arguments": {"text": "aaaa", "separator": "aa", "most": 9}},
        {"arguments": {"text": "grün→rot→blau", "separator": "→", "most": 1}},
        {"arguments": {"text": "", "separator": "long separator, not a small string"}},
    ],
)
def split_text(
    text: Annotated[str, Examples("a,b,,c", "no separator in this text", "", ",")],
    separator: Annotated[str, Examples(",", " se")],
    most: Optional[Annotated[int, Range(0)]],
) -> list[str]:
    if not separator:
        raise ValueError("empty separator")
    return text.split(separator, -1 if most is None else most)

# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Union

from tvmffi_conform.kernels import Examples, kernel


@kernel(
    promises=["repeatable"],
    calls=[
        {
            "arguments": {
                "pattern": "{who} has {n} {{{what}}}",
                "values": {"who": "a sheep", "n": -9223372036854775808, "what": "", "more": 1},
            },
            "expected": {"result": '"a sheep has -9223372036854775808 {}"'},
        },
        {"arguments": {"pattern": "{ö}{ö}", "values": {"ö": "ß"}}},
        {"arguments": {"pattern": "{}", "values": {"": 12}}},
        {"arguments": {"pattern": "{a}", "values": {}}, "refused": {"kind": "KeyError"}},
        {"arguments": {"pattern": "{a", "values": {"a": 1}}, "refused": {"kind": "ValueError"}},
        {"arguments": {"pattern": "a}", "values": {"a": 1}}, "refused": {"kind": "ValueError"}},
    ],
)
def render_template(
    pattern: Annotated[str, Examples("nothing to fill in", "", "{{}}", "{key1}, {key1}")],
    values: dict[str, Union[Annotated[int, Examples(3, -1)], Annotated[str, Examples("v", "")]]],
) -> str:
    out, at = "", 0
    while at < len(pattern):
        c = pattern[at]
        at += 1
        if c not in "{}":
            out += c
        elif pattern[at : at + 1] == c:
            out += c
            at += 1
        elif c == "}":
            raise ValueError("closing")
        else:
            close = pattern.find("}", at)
            if close < 0:
                raise ValueError("opening")
            if pattern[at:close] not in values:
                raise KeyError(pattern[at:close])
            out += str(values[pattern[at:close]])
            at = close + 1
    return out

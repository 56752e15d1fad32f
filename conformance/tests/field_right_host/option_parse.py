# SPDX-License-Identifier: Apache-2.0
import re
from typing import Annotated, Union

from tvmffi_conform.kernels import Examples, kernel


@kernel(
    promises=["repeatable", "atomic"],
    calls=[
        {"arguments": {"text": "a=1;b=two"}},
        {"arguments": {"text": "on=true;off=false;n=-12;long_name_of_an_option=a=b"}},
        {"arguments": {"text": ";x=;;y=999999999999999999;z=1000000000000000000;"}},
        {
            "arguments": {"text": "a"},
            "refused": {"kind": "ValueError", "message": "without a value"},
        },
        {"arguments": {"text": "A=1"}, "refused": {"kind": "ValueError", "message": "bad name"}},
        {"arguments": {"text": "a=1;a=2"}, "refused": {"kind": "ValueError", "message": "twice"}},
    ],
)
def option_parse(
    text: Annotated[str, Examples("a=1;b=x", "", "k=true", "e=é", "minus=-", "n=007")],
) -> dict[str, Union[bool, int, str]]:
    options: dict[str, Union[bool, int, str]] = {}
    for pair in text.split(";"):
        if not pair:
            continue
        key, equals, value = pair.partition("=")
        if not equals or not re.fullmatch(r"[a-z_][a-z0-9_]*", key) or key in options:
            raise ValueError(pair)
        if value in ("true", "false"):
            options[key] = value == "true"
        elif re.fullmatch(r"-?[0-9]{1,18}", value):
            options[key] = int(value)
        else:
            options[key] = value
    return options

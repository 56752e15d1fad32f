# SPDX-License-Identifier: Apache-2.0
from typing import Annotated, Literal, Optional

import numpy as np
from tvmffi_conform.kernels import Examples, Out, Range, Tensor, kernel

Cost = Annotated[int, Range(0, 1000000000)]
BASE = {
    "refs": ["the cat sat", "größe", "a"],
    "hyps": ["the  cat sits down", "grosse", ""],
    "unit": "char",
    "costs": None,
    "distances": {"shape": [3]},
    "threads": 2,
}


def call(**other):
    return {"arguments": {**BASE, **other}}


LONG = [" ".join(f"w{(i * 7 + j * j) % (9 + i % 5)}" for j in range(30 + i % 7)) for i in range(48)]


@kernel(
    sizes={"p": [2, 1, 3]},
    parameters={
        "refs": {"length": "p"},
        "hyps": {"length": "p"},
        "distances": {"layout": "contiguous"},
    },
    tolerance=1e-9,
    promises=["atomic", "repeatable"],
    text="(error rate, errors, units in the references): weighted edit distance, costs of a substitution, an insertion, a deletion; words are parted by blanks, tabs, line breaks",
    calls=[
        call(),
        call(unit="word"),
        call(costs=[2, 1, 3], unit="word"),
        call(costs=[1000000000, 999999999, 900000000]),
        call(costs=None),
        call(costs=[0, 0, 0], distances=None),
        call(refs=["", "  ", ""], hyps=["", "", ""], unit="word"),
        call(refs=["", "", ""], hyps=["ab", "", "c"]),
        call(refs=[], hyps=[], distances={"shape": [0]}),
        call(
            refs=["a b  c ", "\ta\tb", "日本語 テスト"],
            hyps=[" a b c", "b a", "日本 テスト"],
            unit="word",
        ),
        call(refs=["naïve café", "日本語", "🙂🙃"], hyps=["naive cafe", "日本", "🙂"]),
        call(refs=LONG, hyps=LONG[::-1], distances={"shape": [48]}, threads=8),
        call(refs=LONG, hyps=LONG[::-1], unit="word", distances=None, threads=8),
        {**call(hyps=["a", "b"]), "refused": {"kind": "ValueError"}},
        {**call(hyps=["a", "b", "c", "d"]), "refused": {"kind": "ValueError"}},
        {**call(unit="byte"), "refused": {"kind": "ValueError"}},
        {**call(costs=[1, -1, 1]), "refused": {"kind": "ValueError"}},
        {**call(costs=[1, 1, 1000000001]), "refused": {"kind": "ValueError"}},
    ],
)
def error_rate(
    refs: list[str],
    hyps: list[str],
    unit: Literal["char", "word"],
    costs: Optional[tuple[Cost, Cost, Cost]],
    distances: Optional[Out[Tensor[np.int64, "p"]]],
    threads: Annotated[int, Examples(1, 4), Range(1, 16)],
) -> tuple[float, int, int]:
    def parts(s):
        if unit == "char":
            return list(s)
        return [w for w in s.replace("\t", " ").replace("\n", " ").split(" ") if w]

    sub, ins, dele = costs if costs is not None else (1, 1, 1)
    total, result = 0, []
    for r, h in zip(refs, hyps):
        a, b = parts(r), parts(h)
        total += len(a)
        line = [j * ins for j in range(len(b) + 1)]
        for i, x in enumerate(a, 1):
            new = [i * dele]
            for j, y in enumerate(b, 1):
                new.append(
                    min(line[j - 1] + (0 if x == y else sub), line[j] + dele, new[j - 1] + ins)
                )
            line = new
        result.append(line[-1])
    if distances is not None:
        distances[...] = result
    return sum(result) / max(total, 1), sum(result), total

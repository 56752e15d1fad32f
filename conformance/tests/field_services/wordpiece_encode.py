# SPDX-License-Identifier: Apache-2.0
"""WordPiece: words at white space, then the longest pieces of the vocabulary from the left."""

from typing import Annotated, Optional

from tvmffi_conform.kernels import Examples, Range, kernel

VOCAB = {"un": 7, "##aff": 3, "cat": 0, "##s": 1}

SPACES = b" \t\n\v\f\r"


def arguments(text, **others):
    base = {
        "text": text,
        "vocab": VOCAB,
        "unk_id": 100,
        "prefix": "##",
        "lower": False,
        "max_word": 100,
        "max_tokens": None,
    }
    return {"arguments": {**base, **others}}


@kernel(
    parameters={
        "text": {"value": "unaff cats"},
        "vocab": {"value": VOCAB},
        "unk_id": {"value": 100},
        "prefix": {"value": "##"},
    },
    promises=["repeatable", "fresh"],
    calls=[
        arguments("unaff cats"),
        arguments("  Unaff\tCATS\n", lower=True),
        arguments("Unaff CATS"),
        arguments("unreal cats", vocab={"unreal": 6, "un": 7, "##s": 1, "cat": 2}),
        arguments("unaffcat cats"),
        arguments("é cat", vocab={"é": 9, "cat": 1}),
        arguments("café", vocab={"café": 1, "caf": 2, "##é": 3}),
        arguments("", unk_id=None),
        arguments(" \r\n\t\v\f "),
        arguments("cat", max_word=3),
        arguments("cats", max_word=3),
        arguments("cats cats", max_tokens=0),
        arguments("cats cats", max_tokens=3),
        arguments("cats cats", max_tokens=4),
        arguments("dog cats", unk_id=0),
        arguments("cats", prefix=""),
        arguments("cats", vocab={"cat": 5, "s": 6}, prefix=""),
        arguments("é", vocab={}),
        {**arguments("dog", unk_id=None), "refused": {"kind": "ValueError", "message": "unk_id"}},
        {**arguments("cats un", unk_id=-1), "refused": {"kind": "ValueError", "message": "unk_id"}},
        {
            **arguments("cat", vocab={"cat": -5}),
            "refused": {"kind": "ValueError", "message": "vocab"},
        },
        {
            **arguments("cat", max_word=0),
            "refused": {"kind": "ValueError", "message": "max_word"},
        },
        {
            **arguments("cat", max_tokens=-1),
            "refused": {"kind": "ValueError", "message": "max_tokens"},
        },
    ],
)
def wordpiece_encode(
    text: Annotated[str, Examples("unaff cats", "cats", "", "Cats un dog")],
    vocab: dict[str, Annotated[int, Range(0)]],
    unk_id: Optional[Annotated[int, Range(0)]],
    prefix: Annotated[str, Examples("##", "")],
    lower: bool,
    max_word: Annotated[int, Examples(100, 4), Range(1)],
    max_tokens: Optional[Annotated[int, Examples(2), Range(0)]],
) -> tuple[list[int], list[int]]:
    data = text.encode()
    if lower:
        data = data.lower()
    ids, starts = [], []
    at = 0
    while at < len(data):
        if data[at] in SPACES:
            at += 1
            continue
        end = at
        while end < len(data) and data[end] not in SPACES:
            end += 1
        pieces, begin = [], at
        while begin < end and end - at <= max_word:
            for stop in range(end, begin, -1):
                try:
                    piece = data[begin:stop].decode()
                except UnicodeDecodeError:
                    continue
                key = piece if begin == at else prefix + piece
                if key in vocab:
                    pieces.append((vocab[key], begin))
                    begin = stop
                    break
            else:
                break
        if begin < end:
            if unk_id is None:
                raise ValueError("text has a word that vocab can't spell, and unk_id is None")
            pieces = [(unk_id, at)]
        ids += [i for i, _ in pieces]
        starts += [s for _, s in pieces]
        at = end
    if max_tokens is not None:
        ids, starts = ids[:max_tokens], starts[:max_tokens]
    return ids, starts

# SPDX-License-Identifier: Apache-2.0
"""The functions of modules: what was known of each, what was tried, and what would tell more."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from .document import Report
from .summary import plural

# The others of a module stand in its JSON report.
MOST = 200
ORIGINS = {
    "nobody": "not known",
    "file": "signature file",
    "metadata": "metadata",
    "arity error": "arity error",
    "message": "message of an error",
    "probing": "probing calls",
}
PROMISES = {
    "unsaid": "not stated",
    "promised": "promised",
    "explored": "within what is stated",
    "excluded": "excluded",
}
ENDS = {
    "right": "right",
    "served": "served",
    "wrong": "wrong",
    "refused": "refused",
    "no_return": "did not return",
    "not_made": "no time was left",
}


@dataclass(frozen=True)
class Tried:
    """A combination of arguments, and whether what came of it is as it must be."""

    what: str
    promise: str
    end: str
    times: int
    tone: str


@dataclass(frozen=True)
class Function:
    """A function of a module. Facts are of what, what, and from where."""

    name: str
    origin: str
    facts: list[tuple[str, str, str]]
    tried: list[Tried]
    tried_more: int
    unjudged: list[dict]
    failed: int
    warned: int

    @property
    def one_source(self) -> bool:
        """Whether all that was known has one origin."""
        return len({origin for _, _, origin in self.facts}) == 1

    @property
    def known(self) -> str:
        """What was known, in a few words."""
        if not self.facts:
            return "nothing known"
        return f"{self.origin}: {plural(len(self.facts), 'fact')}"

    @property
    def trials(self) -> str:
        """How many combinations of arguments were tried, and how many went wrong."""
        count = len(self.tried) + self.tried_more
        bad = sum(one.tone == "bad" for one in self.tried)
        return (f"{count:,} tried" if count else "") + (f", {bad} wrong" if bad else "")

    @property
    def gaps(self) -> str:
        """How much was not judged."""
        count = sum(gap["count"] for gap in self.unjudged)
        return f"{count:,} not judged" if count else "all judged"

    @property
    def urgency(self) -> tuple:
        """The worst first; of the others those of which a line would tell more."""
        bad = sum(one.tone == "bad" for one in self.tried)
        lines = sum(one["line"] is not None for one in self.unjudged)
        return (-self.failed, -bad, -self.warned, lines == 0, self.name)


def tone_of(tried: dict) -> str:
    """good, bad or open: as the program judges it (functions_mark in conformance/report)."""
    if tried["end"] in ("wrong", "no_return"):
        return "bad"
    if tried["end"] == "right":
        return "good"
    due = {"promised": "served", "excluded": "refused"}.get(tried["promise"])
    return "open" if due is None else "good" if tried["end"] == due else "bad"


def functions_of(report: Report) -> tuple[list[Function], int]:
    """Those of a report that are shown, and how many are not."""
    failed: Counter[str] = Counter()
    warned: Counter[str] = Counter()
    for case in report.cases:
        name = case.id.partition("@")[2]
        if report.counts(case):
            failed[name] += 1
        elif case.verdict in ("fail", "inconclusive"):
            warned[name] += 1
    made = [
        Function(
            name=raw["name"],
            origin=ORIGINS[raw["origin"]],
            facts=[(fact["of"], fact["what"], ORIGINS[fact["from"]]) for fact in raw["facts"]],
            tried=[
                Tried(
                    one["what"],
                    PROMISES[one["promise"]],
                    ENDS[one["end"]],
                    one["times"],
                    tone_of(one),
                )
                for one in raw["tried"]
            ],
            tried_more=raw["tried_more"],
            unjudged=raw["unjudged"],
            failed=failed[raw["name"]],
            warned=warned[raw["name"]],
        )
        for raw in report.raw.get("functions", ())
    ]
    made.sort(key=lambda function: function.urgency)
    return made[:MOST], len(made[MOST:])

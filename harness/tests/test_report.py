# SPDX-License-Identifier: Apache-2.0
"""Reports drawn: what is on the page, in the Markdown and on the badge, and what never is."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import stat
import threading
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from report_sample import (
    case,
    clause,
    decided,
    embedded,
    evidence,
    group,
    grouped,
    inspected_file,
    inspection,
    interrupted,
    older,
    report,
    vague,
    write,
)
from test_load import sample as loads_sample
from tvmffi_conform.cli import app, write_text
from tvmffi_conform.deviations import spread_of
from tvmffi_conform.gather import Collected
from tvmffi_conform.markdown import plain
from tvmffi_conform.page import page as page_of
from tvmffi_conform.summary import WORDS
from tvmffi_conform.tree import MOST_LINES, tree_lines
from typer.testing import CliRunner, Result

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "\"'><svg onload=alert(3)>",
    "<!--<script>",
    "{{ 7 * 7 }}{% for x in y %}",
    "\u2028alert(4)\u2029",
    "&lt;b&gt;&amp;",
    "www.example.org |x|`[a](javascript:alert(5))**\n# head",
    "\ud800 half a pair",
]


class Elements(HTMLParser):
    """The elements of a page, and what stands in scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict]] = []
        self.scripts: list[tuple[dict, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list) -> None:
        self.found.append((tag, dict(attributes)))
        if tag in ("script", "style"):
            self.scripts.append((dict(attributes), ""))

    def handle_data(self, data: str) -> None:
        if self.cdata_elem in ("script", "style"):
            self.scripts[-1] = (self.scripts[-1][0], self.scripts[-1][1] + data)


class Desk:
    """A folder of reports, and what the command makes of it."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def put(self, name: str, document: dict) -> Path:
        return write(self.root / "in" / f"{name}.json", document)

    def run(self, *options: str) -> Result:
        outputs = ["-o", "page.html", "--markdown", "page.md", "--badge", "badge.svg"]
        words = [str(self.root / w) if w.startswith(("page", "badge")) else w for w in outputs]
        return CliRunner().invoke(app, ["report", str(self.root / "in"), *words, *options])

    def text(self, name: str = "page.html") -> str:
        return (self.root / name).read_text(encoding="utf-8")

    def data(self) -> dict:
        script = next(s for a, s in Elements(self.text()).scripts if a.get("id") == "data")
        return json.loads(script)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_what_is_common_stands_once_and_a_pass_is_implied(desk: Desk) -> None:
    cases = [case(), case("any.two", "fail"), case("any.three", "skip", reason="came later")]
    for version in ("0.1.7", "0.1.9"):
        desk.put(version, report(cases, version=version))
    assert desk.run().exit_code == 0
    data = desk.data()
    shapes = [data["shapes"][shape][0] for shape, function in data["cases"]]
    assert shapes == ["any.one", "any.two", "any.three"]
    assert len(data["details"]) == 1
    for run in data["runs"]:
        assert run["verdicts"] == [[1, "f", 0]]
        assert run["skips"] == [["came later", [2, 1]]]
        assert run["standings"] == "b"


def test_functions_are_told(desk: Desk) -> None:
    fact = {"of": "x", "what": "tensor float32[n]", "from": "arity error"}
    tried = [
        {"what": "x: 1 < 2", "promise": "promised", "end": "refused", "times": 3},
        {"what": "k: -1", "promise": "explored", "end": "refused", "times": 1},
    ]
    gaps = [{"why": "nobody said", "count": 2, "line": '"where": ["k >= 0"]'}]
    made = grouped([group(functions=["f"])])
    made["functions"][1] |= {"facts": [fact], "tried": tried, "tried_more": 4, "unjudged": gaps}
    made["functions"][1]["origin"] = "arity error"
    desk.put("m", made)
    assert desk.run().exit_code == 0
    page = desk.text()
    told = page[page.index('id="functions"') : page.index('id="files"')]
    # The one with something wrong comes first.
    places = [told.index(f'<code class="title">{name}</code>') for name in "gfh"]
    assert places == sorted(places)
    for words in (
        "x: 1 &lt; 2",
        '<span class="verdict bad">refused</span>',
        '<span class="verdict open">refused</span>',
        "4 more that are not kept",
        "<code>&#34;where&#34;: [&#34;k &gt;= 0&#34;]</code>",
        "arity error: 1 fact",
        "6 tried, 1 wrong",
        "2 not judged",
        "Known from: arity error",
        "Nothing was known but the name.",
    ):
        assert words in told


def test_a_page_of_modules_loaded_in_releases() -> None:
    text = page_of(Collected(loads=[loads_sample()]))
    assert "<h1>0 of 1 module load in all of 4 releases</h1>" in text
    assert "Tried on x86_64, glibc 2.36." in text


def test_a_page_of_runtimes_has_no_functions(desk: Desk) -> None:
    desk.put("a", report([case()]))
    assert desk.run().exit_code == 0
    assert 'id="functions"' not in desk.text()


def test_cases_and_clauses_that_one_run_does_not_know(desk: Desk) -> None:
    desk.put("a", report([case()]))
    desk.put("b", report([case("dtype.x", clauses=["DTYPE-1"])]))
    desk.run()
    first, second = desk.data()["runs"]
    assert {first["standings"], second["standings"]} == {"h ", " h"}
    assert {tuple(first["absent"]), tuple(second["absent"])} == {(0, 1), (1, 1)}


def test_of_repetitions_it_is_told_how_often(desk: Desk) -> None:
    document = report([case(), case(verdict="fail"), case()])
    document["selection"]["repeat"] = 3
    desk.put("a", document)
    desk.run()
    assert desk.data()["runs"][0]["verdicts"] == [[0, "f", 0, 1]]


def releases(desk: Desk) -> str:
    """The section of the releases, as text."""
    page = desk.text()
    told = page[page.index('id="releases"') : page.index('id="summary"')]
    return " ".join(re.sub(r"<[^>]*>", " ", told).split())


def put_releases(desk: Desk, **changes: object) -> None:
    verdicts = {"0.1.9": "fail", "0.1.10": "xfail", "0.1.7": "pass"}
    for version, verdict in verdicts.items():
        cases = [case(verdict=verdict)]
        if version != "0.1.7":
            cases.append(case("any.new", "fail", clauses=["ANY-2"], level="SHOULD"))
        clauses = [clause(), clause("ANY-2", level="SHOULD")]
        desk.put(version, decided(report(cases, clauses, version), **changes))
    desk.put("ours", report(clauses=[clause(), clause("ANY-2", level="SHOULD")]))


def test_of_releases_is_told_what_each_breaks_newest_first(desk: Desk) -> None:
    put_releases(desk)
    desk.run()
    told = releases(desk)
    page = desk.text()
    head = "1 of 3 releases keep every MUST; the newest breaks 1 MUST and 1 SHOULD"
    assert f"<h1>{head}, 1 of 2 deviations known</h1>" not in page
    assert f"<h1>{head}</h1>" in page  # the MUST was waived in one of two releases only
    assert "Newest: 0.1.10." in page
    assert "ours: conforms." in page
    assert "in which releases, newest first 0.1.10 0.1.9 0.1.7" in told
    assert "MUST clauses broken in the report on each release 1 1 1 deviation" in told
    assert "title of ANY-1 ANY-1 not known before known" in told
    assert "title of ANY-2 ANY-2 not known before 0.1.9 and newer" in told
    assert page.count('<i class="b"></i><i class="b"></i><i class="h"></i>') == 1
    assert page.count('<i class="b"></i><i class="b"></i><i class="n"></i>') == 1
    assert "0.1.10 no change 0.1.9 broke ANY-1 new and broken ANY-2" in told


def test_of_official_releases_the_first_sentence_says_so(desk: Desk) -> None:
    put_releases(desk, known={"release": "0.1.9", "deviations": 1})
    trophy = """
    [[trophy]]
    id = "one"
    title = "The `first`"
    affects = "Anyone"
    implementation = "apache-tvm-ffi"
    releases = ">=0.1.8,<=0.1.10"
    level = "MUST"
    clauses = ["ANY-1"]
    cases = ["any.one"]
    evidence = "Seen."
    [[trophy]]
    id = "two"
    title = "Shown by a program"
    affects = "Nobody"
    implementation = "apache-tvm-ffi"
    releases = "==0.1.7"
    level = "SHOULD"
    clauses = ["ANY-3"]
    evidence = "Seen."
    program = "x.cc"
    headers = "0.1.9"
    """
    (desk.root / "trophies.toml").write_text(trophy, encoding="utf-8")
    desk.run("--trophies", str(desk.root / "trophies.toml"))
    page, told = desk.text(), releases(desk)
    head = "1 of 3 official releases keep every MUST; the newest breaks 1 MUST and 1 SHOULD"
    assert f"<h1>{head}, 1 of 2 deviations known</h1>" in page
    assert "The first ANY-1 Anyone 0.1.9 and newer" in told
    assert '<a href="#found-one">The <code>first</code></a>' in page
    assert "Shown by a program ANY-3 Nobody 0.1.7 only" in told
    assert '<i class="n"></i><i class="n"></i><i class="o"></i>' in page
    assert "Affected:</strong> Anyone" in page


def test_runs_of_a_part_are_no_releases(desk: Desk) -> None:
    for version in ("0.1.7", "0.1.9"):
        document = report(version=version)
        document["selection"]["filters"] = ["any.*"]
        desk.put(version, document)
    desk.run()
    assert 'id="releases"' not in desk.text()
    assert "Partial runs: 0.1.7 (only any.*)" in desk.text()


@pytest.mark.parametrize(
    ("states", "said"),
    [
        ("bbbbb", "every release"),
        ("bbnnh", "0.1.3 and newer"),
        ("nnbbb", "up to 0.1.2"),
        ("hbboh", "0.1.1 to 0.1.3"),
        ("hhbhh", "0.1.2 only"),
        ("bhbbh", "0.1.1 to 0.1.2, 0.1.4"),
        ("bhbho", "3 of 5 releases"),
        ("nhhhh", "none"),
    ],
)
def test_where_a_deviation_is_in_words(states: str, said: str) -> None:
    assert spread_of(states, ["0.1.4", "0.1.3", "0.1.2", "0.1.1", "0.1.0"]) == said


def test_the_words_of_verdicts_are_those_of_the_program() -> None:
    source = Path(__file__).parents[2] / "conformance" / "judge" / "verdict.c"
    text = source.read_text(encoding="utf-8")
    entry = re.compile(r'\[(STANDING_\w+)\] = "([^"]+)"')
    names, heads = (
        dict(entry.findall(text.split(f"*verdict_standing_{function}(")[1].split("}")[0]))
        for function in ("name", "head")
    )
    assert len(names) == len(heads) == 5
    assert {name: heads[key].lower() for key, name in names.items()} == {
        standing: words for standing, (words, _) in WORDS.items()
    }


def test_nothing_from_outside_is_needed(desk: Desk) -> None:
    desk.put("a", report())
    desk.run()
    page = Elements(desk.text())
    assert not [tag for tag, _ in page.found if tag in ("link", "img", "iframe", "object", "base")]
    assert not [a for _, a in page.found if "src" in a or any(k.startswith("on") for k in a)]
    assert not re.search(r"url\(|@import", desk.text())


def test_only_our_script_and_style_may_run(desk: Desk) -> None:
    desk.put("a", report())
    desk.run()
    page = Elements(desk.text())
    policy = next(a["content"] for t, a in page.found if t == "meta" and "http-equiv" in a)
    running = [text for attributes, text in page.scripts if "type" not in attributes]
    assert len(running) == 2
    for text in running:
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def hostile_reports(desk: Desk) -> None:
    for number, text in enumerate(HOSTILE):
        word = re.sub(r"[\s.]", "_", text)
        seen = evidence(what=text, expected=text, seen=text, note=text, source=text)
        waiver = {"reason": text, "url": "javascript:alert(6)", "expires": None}
        crash = {"signal": text, "address": None, "where": text, "fence": text}
        cases = [
            case(f"any.{word}", "fail", title=text, evidence=[seen], reason=text),
            case(f"any.crash{word}", "fail", fail_kind="crash", crash=crash, evidence=[]),
            case(f"any.waived{word}", "xfail", waiver=waiver, output={"text": text, "bytes": 3}),
            case(f"any.skip{word}", "skip", reason=text),
        ]
        clauses = [clause(title=text, text=text, source=text, chapter=text)]
        document = report(cases, clauses, name=text, unmatched_waivers=[text])
        document["environment"]["kernel"] = text
        document["selection"]["filters"] = [text]
        desk.put(str(number), document)
    finding = {"id": "symbols.odd", "level": "error", "symbol": HOSTILE[0], "detail": HOSTILE[1]}
    desk.put(
        "inspect",
        inspection(
            [
                inspected_file(
                    name=HOSTILE[1],
                    path=HOSTILE[0],
                    findings=[{**finding, "reason": HOSTILE[2], "clause": None}],
                    library_bin=embedded([{"kind": HOSTILE[0], "size": 3, "imports": [0]}]),
                )
            ],
            unreadable=[{"path": HOSTILE[0], "message": HOSTILE[1]}],
        ),
    )
    cells = [{"label": text, "report": None, "trouble": text} for text in HOSTILE]
    names = sorted(path.stem for path in (desk.root / "in").glob("?.json"))
    cells += [{"label": HOSTILE[int(n)] + n, "report": f"{n}.json"} for n in names]
    index = {"format": "tvmffi-conform-matrix/1", "cells": cells}
    desk.put("matrix", index)


def test_hostile_names_stay_texts(desk: Desk) -> None:
    hostile_reports(desk)
    done = desk.run(str(desk.root / "in" / "inspect.json"))
    assert done.exit_code == 0, done.output
    plain = Desk(desk.root / "plain")
    plain.put("a", report())
    plain.run()
    allowed = {tag for tag, _ in Elements(plain.text()).found}
    page = Elements(desk.text())
    assert {tag for tag, _ in page.found} <= allowed
    assert len(page.scripts) == 3
    assert not [a for _, a in page.found if "src" in a or any(k.startswith("on") for k in a)]
    assert "{{" not in desk.text().split('<script type="application/json"')[0].split("</style>")[
        1
    ].replace("{{ 7 * 7 }}", "")
    data = desk.data()
    assert desk.text().count('verdict bad">no result<') == len(HOSTILE)
    assert {run["name"] for run in data["runs"]} == set(HOSTILE)


def test_hostile_names_are_no_markdown(desk: Desk) -> None:
    hostile_reports(desk)
    assert desk.run().exit_code == 0
    text = desk.text("page.md")
    for bad in ("<script", "<img", "<svg", "](", "**\n", "\n# head", "javascript:", "www."):
        assert bad not in text
    rows = [row for row in text.splitlines() if row.startswith("|")]
    assert len({row.count("|") for row in rows}) == 1
    assert len(rows) == 2 + 2 * len(HOSTILE)


def test_a_hostile_badge_is_one_text(desk: Desk) -> None:
    document = report(name=HOSTILE[0])
    document["library"]["reported_version"] = None
    desk.put("a", document)
    desk.run()
    root = ElementTree.fromstring(desk.text("badge.svg"))
    assert {element.tag.split("}")[1] for element in root.iter()} <= {
        "svg",
        "title",
        "clipPath",
        "rect",
        "g",
        "text",
    }


@pytest.mark.parametrize(
    ("documents", "left", "right"),
    [
        ([report()], "TVM FFI ABI 0.1.9 runtime", "conforms"),
        ([report([case(verdict="fail")])], "TVM FFI ABI 0.1.9 runtime", "not conformant"),
        ([report([case(verdict="xfail")])], "TVM FFI ABI 0.1.9 runtime", "broken, known, 1 waived"),
        ([interrupted()], "TVM FFI ABI 0.1.9 runtime", "inconclusive, interrupted"),
        (
            [report(vague())],
            "TVM FFI ABI 0.1.9 runtime",
            "inconclusive, 1 of 3 MUST judged",
        ),
        (
            [report([case(verdict="xfail")]), report(version="0.1.10"), report(vague())],
            "TVM FFI ABI 0.1.9 to 0.1.10 runtime",
            "1 of 3 implementations conform; 1 broken, known; 1 inconclusive",
        ),
        ([decided(report([]), "not_judged")], "TVM FFI ABI 0.1.9 runtime", "not judged"),
        (
            [report(), report([case(verdict="fail")], version="0.1.10")],
            "TVM FFI ABI 0.1.9 to 0.1.10 runtime",
            "1 of 2 implementations conform",
        ),
    ],
)
def test_a_badge_says_what_conforms_to_what(
    desk: Desk, documents: list[dict], left: str, right: str
) -> None:
    for number, document in enumerate(documents):
        desk.put(str(number), document)
    assert desk.run("--partial").exit_code == 0
    root = ElementTree.fromstring(desk.text("badge.svg"))
    texts = [e.text for e in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == [left, right]
    assert root.get("aria-label") == f"{left}: {right}"
    assert "%" not in "".join(texts)


def scopes_of(document: dict) -> dict:
    """A report with three levels in one scope, and one in another."""
    counts = {"must": (312, 312, 312), "should": (40, 44, 50), "hardening": (7, 12, 12)}
    keys = ("holds", "judged", "applicable")
    core = {level: dict(zip(keys, three)) for level, three in counts.items()}
    none = dict.fromkeys(keys, 0)
    frontend = {**dict.fromkeys(counts, none), "must": dict(zip(keys, (9, 9, 11)))}
    must = {"judged": 321, "applicable": 323, "percent": 99, "min_percent": 50}
    scopes = [{"scope": "core", **core}, {"scope": "frontend", **frontend}]
    return decided(document, scopes=scopes, must=must)


def test_scopes_and_levels_are_told_as_in_the_terminal(desk: Desk) -> None:
    desk.put("a", scopes_of(report()))
    assert desk.run().exit_code == 0
    said = (
        "core 312 of 312 MUST · 40 of 44 SHOULD · 7 of 12 HARDENING",
        "frontend 9 of 9 MUST",
        "judged 321 of 323 applicable MUST clauses",
    )
    assert f"| {'<br>'.join(said)} |" in desk.text("page.md")
    for line in said:
        assert f">{line}</span>" in desk.text()


def test_what_is_waived_is_never_a_plain_tick(desk: Desk) -> None:
    desk.put("a", report([case(verdict="xfail")]))
    desk.put("b", report())
    assert desk.run().exit_code == 0
    text, page = desk.text("page.md"), desk.text()
    assert "1 of 2 implementations conform; 1 broken, known." in text
    assert "| 🟡 | <code>a</code> | 0.1.9 runtime | **broken, known**: 1 waived |" in text
    assert "| ✅ | <code>b</code> | 0.1.9 runtime | **conforms** |" in text
    assert "broken, known: 1 case</summary>" in text
    assert 'verdict known">broken, known</span></summary>' in page
    assert "<div><span>1 waived</span>" in page
    assert "<h1>1 of 2 implementations conform; 1 broken, known</h1>" in page


def test_an_inconclusive_run_says_how_much_could_be_judged(desk: Desk) -> None:
    desk.put("a", report(vague()))
    desk.put("b", decided(report([]), "not_judged"))
    assert desk.run().exit_code == 0
    why = "1 of 3 applicable MUST clauses could be judged, less than 50 % (--min-judged)"
    assert f'verdict open">inconclusive</span> <span class="muted">{why}</span>' in desk.text()
    assert "| ⚪ | <code>a</code> |" in desk.text("page.md")
    assert "**inconclusive**: 1 of 3 applicable MUST clauses" in desk.text("page.md")
    assert 'verdict bad">not judged</span> <span class="muted">its constructor' in desk.text()


def test_what_is_known_of_an_official_release_is_named(desk: Desk) -> None:
    known = {"release": "0.1.9", "deviations": 82}
    desk.put("a", decided(report([case(verdict="fail")]), known=known))
    assert desk.run().exit_code == 0
    assert "known deviations of 0.1.9: 82 |" in desk.text("page.md")


def test_a_file_that_could_not_be_read_has_no_profile(desk: Desk) -> None:
    document = decided({**report([]), "complete": False}, "not_judged", exit_code=3)
    document["library"] |= {"profile": "none", "sha256": None, "reported_version": None}
    desk.put("a", document)
    assert desk.run().exit_code == 0
    assert "| ❌ | <code>a</code> | unknown  | **not judged**: its constructor" in desk.text(
        "page.md"
    )
    assert 'aria-label="TVM FFI ABI unknown: not judged"' in desk.text("badge.svg")


def test_older_reports_are_marked(desk: Desk) -> None:
    desk.put("a", older(report([case(verdict="xfail")])))
    desk.put("b", report())
    assert desk.run().exit_code == 0
    assert "**broken, known**: 1 waived, older report |" in desk.text("page.md")
    assert "Marked as older report: written before reports had a verdict" in desk.text()
    assert "without counts by scope: a." in desk.text()


def test_a_gate_is_named_and_decides_what_counts(desk: Desk) -> None:
    strict = {**report()["selection"], "strict": True}
    advice = case("any.x", "fail", level="SHOULD")
    desk.put("a", report([case(), advice], selection=strict))
    assert desk.run().exit_code == 0
    text = desk.text("page.md")
    assert "**not conformant**: 1 cases failed, gate should |" in text
    assert "failures that count: 1 case</summary>" in text
    assert "warnings:" not in text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("any.own-dirty-view.none", "any.own-dirty-view.none"),
        ("buffer.byte-offset.one-page@add_one", "buffer.byte-offset.one-page&#64;add_one"),
        ("expected None (0), actual -1: x", "expected None (0), actual -1: x"),
        ("-x *a* __init__ a_b_c", "&#45;x &#42;a&#42; &#95;&#95;init&#95;&#95; a_b_c"),
        ("http://x.y WWW.x.y", "http&#58;//x.y WWW&#46;x.y"),
        ("[b](c) <d>&lt;", "&#91;b&#93;(c) &#60;d&#62;&#38;lt;"),
        ("#1|`e`$f$", "&#35;1&#124;&#96;e&#96;&#36;f&#36;"),
    ],
)
def test_markdown_can_be_read_as_it_is(text: str, written: str) -> None:
    assert plain(text) == written


def test_markdown_names_what_failed(desk: Desk) -> None:
    desk.put("0.1.9", report([case("any.x", "fail", evidence=[evidence(what="count")])]))
    desk.run()
    text = desk.text("page.md")
    assert "0 of 1 implementation conform." in text
    assert "**not conformant**: 1 cases failed" in text
    assert "(ANY-1): count: expected None (0), actual Int (1)" in text


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda text: text[: len(text) // 2], "the file is truncated (run the suite again"),
        (lambda text: text.replace("report/1", "report/9"), "is not supported"),
        (lambda text: text.replace('"any.two"', '"any.one"'), "any.one is listed 2 times"),
        (lambda text: json.dumps(interrupted()), "pass --partial"),
        (
            lambda text: text.replace('"standing": "holds"', '"standing": "maybe"'),
            "'maybe' is not one of",
        ),
    ],
)
def test_of_bad_reports_no_page_is_made(desk: Desk, damage, said: str) -> None:
    desk.put("a", report())
    path = desk.put("b", report([case(), case("any.two")]))
    path.write_text(damage(path.read_text()))
    done = desk.run()
    assert str(done.exception).startswith(str(path))
    assert said in str(done.exception)
    assert not list(desk.root.glob("page*"))
    assert not list(desk.root.glob("badge*"))


def test_an_interrupted_run_is_shown_as_one(desk: Desk) -> None:
    desk.put("cut", interrupted())
    assert desk.run("--partial").exit_code == 0
    assert "Interrupted, so results are missing: cut." in desk.text()
    assert 'verdict open">inconclusive</span>' in desk.text()
    assert "the run was interrupted" in desk.text()
    assert "1 of 1 implementation" not in desk.text("page.md")


def test_files_come_in_the_order_of_their_releases(desk: Desk) -> None:
    for version in ("0.1.10", "0.1.9", "0.1.9.post1"):
        desk.put(version, report(version=version[:6].strip(".")))
    desk.run()
    assert [run["label"] for run in desk.data()["runs"]] == ["0.1.10", "0.1.9.post1", "0.1.9"]
    rows = [line for line in desk.text("page.md").splitlines() if line.startswith("| ✅")]
    assert [row.split("|")[2].strip(" </>code") for row in rows] == [
        "0.1.9",
        "0.1.9.post1",
        "0.1.10",
    ]


def test_rules_that_differ_are_told(desk: Desk) -> None:
    desk.put("a", report())
    other = report()
    other["suite"]["clauses_digest"] = "fedcba9876543210"
    desk.put("b", other)
    desk.run()
    assert "different versions of the specification" in desk.text()
    assert "fedcba9876543210: b" in desk.text()


def test_what_has_no_result_is_on_the_page(desk: Desk) -> None:
    desk.put("a", report())
    cells = [
        {"label": "a", "report": "a.json"},
        {"label": "gone", "report": None, "trouble": "why"},
    ]
    write(desk.root / "in" / "matrix.json", {"format": "tvmffi-conform-matrix/1", "cells": cells})
    desk.run()
    assert "1 of 2 implementations conform" in desk.text()
    assert "no result" in desk.text()
    assert "**no result**: why" in desk.text("page.md")


def test_nothing_to_draw(desk: Desk) -> None:
    (desk.root / "in").mkdir()
    assert "no report" in str(desk.run().exception)
    done = CliRunner().invoke(app, ["report", str(desk.root / "in")])
    assert "nothing to write" in str(done.exception)
    path = desk.put("a", report())
    words = ["report", str(path), str(path), "-o", str(desk.root / "page.html")]
    assert "given twice" in str(CliRunner().invoke(app, words).exception)


def test_a_place_that_cannot_be_written(desk: Desk) -> None:
    path = desk.put("a", report())
    done = CliRunner().invoke(app, ["report", str(path), "-o", f"{path}/page.html"])
    assert "cannot be written" in str(done.exception)


def test_embedded_modules_become_lines() -> None:
    lines, left = tree_lines([[1, 2], [2], [], []])
    assert [(line.depth, line.parent, line.module, line.again) for line in lines] == [
        (0, None, 0, False),
        (1, 0, 1, False),
        (2, 1, 2, False),
        (1, 0, 2, True),
    ]
    assert left == 1


def test_a_tree_that_turns_in_circles_or_goes_deep_ends() -> None:
    assert len(tree_lines([[0]])[0]) == 2
    assert len(tree_lines([[i + 1] for i in range(999)] + [[]])[0]) == MOST_LINES
    assert len(tree_lines([list(range(1000))] * 1000)[0]) == MOST_LINES
    assert tree_lines([[7]]) == ([tree_lines([[]])[0][0]], 0)
    assert tree_lines([]) == ([], 0)


def test_inspected_files_are_drawn(desk: Desk) -> None:
    modules = [{"kind": "_lib", "size": None, "imports": [1]}]
    modules.append({"kind": "cuda", "size": 9, "imports": []})
    write(desk.root / "in" / "i.json", inspection([inspected_file(library_bin=embedded(modules))]))
    words = ["report", str(desk.root / "in"), "-o", str(desk.root / "page.html")]
    assert CliRunner().invoke(app, words).exit_code == 0
    (file,) = desk.data()["files"]
    assert file["embedded"]["tree"] == [
        [0, None, 0, False, "_lib", None],
        [1, 0, 1, False, "cuda", 9],
    ]
    assert "1 file inspected" in desk.text()


def test_the_same_reports_give_the_same_page(desk: Desk) -> None:
    desk.put("a", report([case(verdict="fail")]))
    desk.run()
    first = desk.text()
    desk.run()
    assert desk.text() == first


def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    # A pipe of the test's own: a mistake here must not cost the machine its /dev/null.
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    heard: list[bytes] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write_text(pipe, "a page")
    reader.join(timeout=10)
    assert heard == [b"a page"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_dash_is_the_standard_output(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    write_text(Path("-"), "a page")
    assert capsysbinary.readouterr().out == b"a page"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("an old page")
    (tmp_path / "link.html").symlink_to("page.html")
    write_text(tmp_path / "link.html", "a new page")
    assert (tmp_path / "link.html").is_symlink()
    assert (tmp_path / "page.html").read_text() == "a new page"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.html", "page.html"]

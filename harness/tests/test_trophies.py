# SPDX-License-Identifier: Apache-2.0
"""Lists of deviations: what is understood, what is refused where, and what is made of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_sample import case, report, write
from tvmffi_conform import HarnessError
from tvmffi_conform.cli import app
from tvmffi_conform.tool import Tool
from tvmffi_conform.trophies import read_trophies, run_again, trophies_markdown
from typer.testing import CliRunner, Result

ONE = """
[[trophy]]
id = "one-two"
title = "`foo` is <b>late</b>"
affects = "Callers of `foo`"
implementation = "apache-tvm-ffi"
releases = ">=0.1.5,<=0.1.12,!=0.1.9"
level = "SHOULD"
clauses = ["ANY-1"]
cases = ["any.one.*"]
shown = "small"
evidence = '''
What was
seen, `so`.
'''
timing = true
fuzz = ["crash-a"]
akin = ["a/b#7"]
"""
MODULE = """
[[trophy]]
id = "module"
title = "A module"
affects = "Its callers"
implementation = "tvm"
version = "0.27"
level = "MUST"
clauses = ["BUF-1"]
cases = ["buffer.offset.*@add_one"]
shown = "64"
evidence = "Seen."
module = "tvm/c.so"
runtime = "0.1.9"
signatures = "c.json"
known = ["a/b#8"]
"""


PROGRAM = """
[[trophy]]
id = "program"
title = "A program"
affects = "Its users"
implementation = "apache-tvm-ffi"
releases = ">=0.1.15,<=0.1.15.post2"
level = "MUST"
clauses = ["CON-79"]
evidence = "Seen."
program = "keys.cc"
headers = "0.1.9"
"""


def file_of(folder: Path, text: str) -> Path:
    path = folder / "trophies.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_whole_list(tmp_path: Path) -> None:
    one, module = read_trophies(file_of(tmp_path, ONE + MODULE))
    assert one.versions == "0.1.5 to 0.1.12, but not 0.1.9"
    assert one.evidence == "What was seen, `so`."
    assert [one.concerns(v) for v in ("0.1.4", "0.1.5", "0.1.9", "0.1.12", "0.1.13")] == [
        False,
        True,
        False,
        True,
        False,
    ]
    runtime = ".cache/official/0.1.12/tvm_ffi/lib/libtvm_ffi.so"
    assert one.commands() == [
        f"tvmffi-conform repro any.one.small {runtime}",
        f"tvmffi-conform fuzz --replay reports/fuzz/crash-a {runtime}",
    ]
    assert (module.versions, module.concerns("0.1.9")) == ("0.27", False)
    assert module.commands() == [
        "LD_LIBRARY_PATH=.cache/modules/libraries tvmffi-conform repro buffer.offset.64@add_one "
        ".cache/modules/tvm/c.so --signatures harness/real_modules/signatures/c.json "
        "--runtime .cache/official/0.1.9/tvm_ffi/lib/libtvm_ffi.so"
    ]


def test_the_markdown_says_all(tmp_path: Path) -> None:
    text = trophies_markdown(read_trophies(file_of(tmp_path, ONE + MODULE)), "trophies.toml")
    assert text.startswith("# Deviations found\n\n2 deviations, 1 from a MUST.")
    for words in (
        "\n## apache-tvm-ffi\n",
        "\n0.1.5 to 0.1.12, but not 0.1.9 · SHOULD · ANY-1\n",
        "\nWhat was seen, `so`. It depends on timing: not every run reproduces it.\n",
        "\nAffected: Callers of `foo`.\n",
        "\nKnown: none found. Akin: [a/b#7](https://github.com/a/b/issues/7).\n",
        "\nKnown: [a/b#8](https://github.com/a/b/issues/8).\n",
    ):
        assert words in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the whole: lists no [[trophy]]"),
        ("[[trophies]]", "unknown key 'trophies'; did you mean 'trophy'?"),
        ("[[trophy]]\ntitle = 'x'", "trophy[0]: needs id, affects, implementation, level, clauses"),
        (ONE + "cake = 1", "trophy[0] (one-two): unknown key 'cake'"),
        (ONE + "module = 1", "trophy[0] (one-two).module: 1 is not a text in quotes"),
        (ONE.replace("timing = true", "timing = 1"), ".timing: 1 is not true or false"),
        (ONE.replace("ANY-1", "any 1"), ".clauses: 'any 1' is not what belongs here"),
        (ONE.replace("crash-a", "../a"), ".fuzz: '../a' is not what belongs here"),
        (ONE.replace("a/b#7", "7"), ".akin: '7' is not what belongs here"),
        (ONE.replace("SHOULD", "should"), ".level: 'should' is not what belongs here"),
        (ONE.replace(",<=0.1.12", ""), ".releases: write >=FIRST,<=LAST"),
        (ONE.replace("!=0.1.9", "~=0.1"), ".releases: '~=0.1' is not a version bound"),
        (ONE + 'version = "1"', "needs either releases or a version"),
        (MODULE.replace('version = "0.27"', ""), "needs either releases or a version"),
        (MODULE.replace('runtime = "0.1.9"', ""), "needs the runtime in which its module"),
        (MODULE.replace("cases = ", "akin = "), ".akin: 'buffer.offset.*@add_one' is not"),
        (
            MODULE.replace('cases = ["buffer.offset.*@add_one"]', ""),
            "needs cases, fuzz or a program",
        ),
        (PROGRAM.replace('headers = "0.1.9"', ""), "needs both program and headers, or neither"),
        (PROGRAM.replace("keys.cc", "../keys.cc"), ".program: '../keys.cc' is not what belongs"),
        (ONE + ONE, "trophy[1] (one-two): there is a trophy of this id already"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    path = file_of(tmp_path, text)
    with pytest.raises(HarnessError) as caught:
        read_trophies(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert said in str(caught.value)


def program(folder: Path, does: str) -> Tool:
    path = folder / "tvmffi-conform"
    path.write_text(f"#!/bin/sh\n{does}\n")
    path.chmod(0o755)
    return Tool(path)


@pytest.mark.parametrize(
    ("does", "shows", "outcome"),
    [
        ("exit 0", False, "passes"),
        ("exit 1", True, "shows"),
        ("exit 2", False, "refused"),
        ("echo not there >&2; exit 3", False, "not loaded"),
        ("exit 4", False, "fault"),
        ("kill -SEGV $$", True, "signal 11"),
        ("exec sleep 20", True, "does not end in 0.5 s"),
        ('[ "$LIBRARIES $1 $2" = "a/b repro any.one" ] && exit 1', True, "shows"),
    ],
)
def test_a_command_is_run_again(tmp_path: Path, does: str, shows: bool, outcome: str) -> None:
    command = "LIBRARIES=a/b tvmffi-conform repro any.one lib.so"
    why = "not there" if "not there" in does else ""
    assert run_again(command, program(tmp_path, does), 0.5) == (shows, outcome, why)


def test_a_program_is_run_by_its_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (one,) = read_trophies(file_of(tmp_path, PROGRAM))
    assert one.commands() == ["reports/programs/run.sh keys.cc 0.1.9 0.1.15.post2"]
    script = tmp_path / "reports" / "programs" / "run.sh"
    script.parent.mkdir(parents=True)
    script.write_text('#!/bin/sh\n[ "$*" = "keys.cc 0.1.9 0.1.15.post2" ] && exit 1\n')
    script.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    assert run_again(one.commands()[0], program(tmp_path, "exit 0"), 5) == (True, "shows", "")


def test_commands_that_show_nothing_are_counted(tmp_path: Path) -> None:
    def again(does: str) -> Result:
        (tmp_path / "tvmffi-conform-worker").write_text("worker")
        tool = str(program(tmp_path, does).path)
        path = str(file_of(tmp_path, MODULE))
        return CliRunner().invoke(app, ["trophies", path, "--again", "--tool", tool])

    done = again("echo said >&2; echo 'why it was not' >&2; echo >&2; exit 3")
    assert done.exit_code == 1
    assert "\n            why it was not\n" in done.stdout
    assert done.stdout.endswith(
        "1 of 1 commands did not reproduce; `make releases modules` fetches what is missing\n"
    )
    done = again("echo said >&2; exit 1")
    assert (done.exit_code, done.stdout.count("\n")) == (0, 1)


def test_all_are_seen_again_or_it_fails(tmp_path: Path) -> None:
    lasting = file_of(tmp_path, ONE.replace("timing = true", "") + MODULE)
    for does, status in (("exit 1", 0), ('[ "$1" = repro ]', 1)):
        tool = program(tmp_path, does).path
        done = CliRunner().invoke(app, ["trophies", str(lasting), "--again", "--tool", str(tool)])
        assert (done.exit_code, done.output.count("tvmffi-conform ")) == (status, 3)
    timed = file_of(tmp_path, ONE)
    tool = program(tmp_path, "exit 0").path
    done = CliRunner().invoke(app, ["trophies", str(timed), "--again", "--tool", str(tool)])
    assert (done.exit_code, done.output.count("passes")) == (0, 2)


def test_the_command_has_something_to_do(tmp_path: Path) -> None:
    path = file_of(tmp_path, ONE)
    done = CliRunner().invoke(app, ["trophies", str(path)])
    assert "nothing to do (give --markdown FILE or --again)" in str(done.exception)
    made = tmp_path / "made.md"
    assert CliRunner().invoke(app, ["trophies", str(path), "--markdown", str(made)]).exit_code == 0
    assert made.read_text(encoding="utf-8") == trophies_markdown(read_trophies(path), path.name)


def test_the_page_has_them_escaped(tmp_path: Path) -> None:
    write(tmp_path / "0.1.9.json", report([case()]))
    path, made = file_of(tmp_path, ONE + MODULE), tmp_path / "page.html"
    words = ["report", str(tmp_path / "0.1.9.json"), "-o", str(made), "--trophies", str(path)]
    assert CliRunner().invoke(app, words).exit_code == 0
    text = made.read_text(encoding="utf-8")
    assert '<details class="trophy" id="found-one-two"' in text
    assert "<code>foo</code> is &lt;b&gt;late&lt;/b&gt;</span>" in text
    assert '<a href="https://github.com/a/b/issues/8" rel="noreferrer">a/b#8</a>' in text
    assert "<dt>known</dt><dd>none found</dd>" in text
    assert CliRunner().invoke(app, words[:-2]).exit_code == 0
    assert "Deviations found" not in made.read_text(encoding="utf-8")

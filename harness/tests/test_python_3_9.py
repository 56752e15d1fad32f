# SPDX-License-Identifier: Apache-2.0
"""The package runs on Python 3.9, whatever Python the tests themselves run on."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest
import report_sample  # noqa: F401 - skips these tests where a package is missing
from tvmffi_conform import cli

PACKAGE = Path(cli.__file__).parent
EVALUATED = ("--eval-annotations", "--feature", "union-types")
YOUNGER = {
    "a statement": "match 3:\n    case 3:\n        pass\n",
    "a type that is evaluated": "Name = int | str\n",
    "an annotation that typer evaluates": "def command(name: int | str) -> None: ...\n",
    "a module": "import tomllib\n",
}


def too_young(path: Path, *options: str) -> str:
    """What of the sources under a path is younger than Python 3.9; empty if nothing is."""
    pytest.importorskip("vermin")
    vermin = [sys.executable, "-c", "import vermin; vermin.main()"]
    done = subprocess.run(
        [*vermin, "--target=3.9-", "--violations", "--no-tips", *options, str(path)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Minimum required versions" in done.stdout, done.stdout + done.stderr
    return "" if done.returncode == 0 else done.stdout


@pytest.mark.parametrize("text", YOUNGER.values(), ids=YOUNGER)
def test_what_is_younger_is_noticed(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.py"
    path.write_text(text)
    assert "3.1" in too_young(path, *EVALUATED)


def test_annotations_that_are_evaluated() -> None:
    assert not too_young(PACKAGE / "cli.py", *EVALUATED)


def test_nothing_is_younger() -> None:
    said = too_young(PACKAGE)
    assert not said


def test_typer_is_given_no_texts_for_annotations() -> None:
    """On Python 3.9 it would take them for it, and drop every option's short name."""
    commands = [command.callback for command in cli.app.registered_commands]
    hints = [p.annotation for c in commands for p in inspect.signature(c).parameters.values()]
    assert len(hints) > 10
    assert not [hint for hint in hints if isinstance(hint, str)]

# SPDX-License-Identifier: Apache-2.0
"""What CI jobs run: the command, the steps of the GitHub Action, the job of the GitLab template."""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from fake_tool import install, runs
from junitparser import JUnitXml
from report_sample import case, report
from tvmffi_conform.cli import app
from tvmffi_conform.fetch_runtimes import HEADERS, LIBRARY
from typer.testing import CliRunner, Result

yaml = pytest.importorskip("yaml")
ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "harness" / "ci" / "gitlab.yml"
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())


class Project:
    """A project with libraries, and programs on the PATH of its CI."""

    def __init__(self, root: Path) -> None:
        self.root, self.bin = root, root / "bin"
        self.program = install(self.bin)
        harness = self.bin / "tvmffi-harness"
        paths = [str(ROOT / "harness"), *sys.path]
        harness.write_text(
            f"#!{sys.executable}\nimport sys\nsys.path[:0] = {paths!r}\n"
            "from tvmffi_conform.cli import main\nmain()\n"
        )
        harness.chmod(0o755)
        for version in ("0.1.7", "0.1.9"):
            self.release(version)

    def release(self, version: str) -> None:
        for name in (LIBRARY, *HEADERS):
            path = self.root / "cache" / "tvmffi-conform" / "releases" / version / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"good {version}")

    def put(self, name: str, words: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(words)

    @property
    def environment(self) -> dict[str, str]:
        path = f"{self.bin}:{os.environ['PATH']}"
        cache = str(self.root / "cache")
        return {"PATH": path, "HOME": str(self.root), "XDG_CACHE_HOME": cache, "LC_ALL": "C.UTF-8"}

    def shell(self, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.root,
            env={**self.environment, **variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    def read(self, name: str) -> str:
        path = self.root / name
        return path.read_text() if path.exists() else ""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(tmp_path)
    return Project(tmp_path)


def ci(project: Project, *words: str) -> Result:
    options = ["--tool", project.program, "--cache", project.root / "cache" / "tvmffi-conform"]
    return CliRunner().invoke(app, ["ci", *map(str, options), "--offline", *words])


def outputs(project: Project, name: str = "conformance/outputs.txt") -> dict[str, str]:
    return dict(line.split("=", 1) for line in project.read(name).splitlines())


def test_without_a_runtime_nothing_is_run(project: Project) -> None:
    project.put("build/a.so", "0.1.9")
    project.put("build/b.so", "0.1.9 symbols.odd")
    assert ci(project, "build/*.so", "build/a.so").exit_code == 1
    assert sorted(runs(project.program)) == ["a.so", "b.so"]
    assert outputs(project) == {
        "status": "1",
        "conforms": "false",
        "files": "2",
        "errors": "1",
        "warnings": "0",
        "judged": "0",
        "conforming": "0",
        "known": "0",
        "inconclusive": "0",
        "sarif": "conformance/inspect.sarif",
        "trace_errors": "0",
        "trace_sarif": "",
        "reports": "conformance",
    }
    assert json.loads(project.read("conformance/inspect.sarif"))["version"] == "2.1.0"
    assert "error <code>symbols.odd</code>" in html.unescape(project.read("conformance/summary.md"))
    assert ci(project, "build/a.so").exit_code == 0
    assert outputs(project)["conforms"] == "true"


def suites_in(path: str) -> JUnitXml:
    """A file, with what is counted in it."""
    whole = JUnitXml.fromfile(path)
    whole.update_statistics()
    return whole


def test_modules_are_judged_in_each_runtime_and_runtimes_by_themselves(project: Project) -> None:
    project.put("k.so", "good 0.1.9")
    project.put("libtvm_ffi.so", "good 0.1.9")
    versions = ["--runtime", "0.1.7", "--runtime", "0.1.9", "--runtime", "reference"]
    assert ci(project, *versions, "k.so", "libtvm_ffi.so").exit_code == 0
    suites = {suite.name: suite for suite in JUnitXml.fromfile("conformance/junit.xml")}
    judged = ["k.so in 0.1.7", "k.so in 0.1.9", "k.so in reference", "libtvm_ffi.so"]
    assert list(suites) == [*judged, "inspect"]
    assert outputs(project)["judged"] == outputs(project)["conforming"] == "4"
    summary = html.unescape(project.read("conformance/summary.md"))
    assert all(f"<code>{label}</code>" in summary for label in judged)


def test_one_module_that_does_not_conform_is_red_everywhere(project: Project) -> None:
    project.put("k.so", "bad 0.1.9")
    assert ci(project, "--runtime", "0.1.9", "k.so").exit_code == 1
    whole = suites_in("conformance/junit.xml")
    assert (whole.failures, whole.errors) == (1, 0)
    assert outputs(project)["conforms"] == "false"


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ("unreadable", []),
        ("unloadable", ["--runtime", "0.1.9"]),
        ("unjudged", ["--runtime", "0.1.9"]),
        ("good 0.1.9", ["--runtime", "0.1.3"]),
    ],
)
def test_what_cannot_be_read_or_judged_is_never_green(
    project: Project, words: str, options: list[str]
) -> None:
    project.put("k.so", words)
    assert ci(project, *options, "k.so").exit_code == 3
    assert outputs(project)["conforms"] == "false"
    assert suites_in("conformance/junit.xml").errors == 1


def test_what_is_inconclusive_fails_by_a_code_of_its_own(project: Project) -> None:
    project.put("k.so", "vague 0.1.9")
    assert ci(project, "--runtime", "0.1.9", "k.so").exit_code == 5
    said = outputs(project)
    assert (said["status"], said["conforms"], said["inconclusive"]) == ("5", "false", "1")
    whole = suites_in("conformance/junit.xml")
    assert (whole.failures, whole.errors) == (0, 1)
    assert "**inconclusive**" in project.read("conformance/summary.md")
    project.put("k.so", "bad 0.1.9")
    assert ci(project, "--runtime", "0.1.9", "k.so").exit_code == 1


def test_what_waivers_name_is_counted_apart(project: Project) -> None:
    project.put("k.so", f"told {json.dumps(report([case(verdict='xfail')]))}")
    assert ci(project, "--runtime", "0.1.9", "k.so").exit_code == 0
    said = outputs(project)
    assert (said["judged"], said["conforming"], said["known"]) == ("1", "0", "1")


def test_a_pattern_that_meets_nothing_is_refused(project: Project) -> None:
    project.put("a.so", "0.1.9")
    assert "dist/*.whl: no such file (build" in str(ci(project, "a.so", "dist/*.whl").exception)
    (project.root / "dist").mkdir()
    assert "dist: is a folder; name files in it, as in 'dist/*.so'" in str(
        ci(project, "dist").exception
    )
    assert not (project.root / "conformance").exists()


def test_a_file_that_cannot_be_read_is_named(project: Project) -> None:
    project.put("k.so", "unreadable")
    done = ci(project, "k.so")
    assert "k.so: " in done.stderr
    assert "1 unreadable; see conformance" in done.stdout


@pytest.mark.parametrize(
    ("rules", "command", "status"),
    [
        ("0", "echo ran >out; exit 0", 0),
        ("2", "true", 1),
        ("0", "exit 3", 1),
        ("none", "true", 3),
    ],
)
def test_a_program_is_traced(project: Project, rules: str, command: str, status: int) -> None:
    project.put("rules", rules)
    done = ci(project, f"--trace={command}", "--trace-options=--preset=deep --mute='CALL-1 *'")
    assert done.exit_code == status, done.output
    words = project.read("bin/traced").splitlines()
    assert words[3:] == ["--preset=deep", "--mute=CALL-1 *", "--", "sh", "-e", "-c", command]
    said = outputs(project)
    errors = rules if rules.isdecimal() else "0"
    assert (said["status"], said["trace_errors"], said["files"]) == (str(status), errors, "0")
    assert (said["sarif"], said["trace_sarif"]) == ("", "conformance/trace.sarif")
    whole = suites_in("conformance/junit.xml")
    assert (whole.failures, whole.errors) == (int(rules == "2"), int(rules == "none"))
    assert f"<code>{command}</code>" in html.unescape(project.read("conformance/summary.md"))
    assert 'id="traces"' in project.read("conformance/index.html")
    assert project.read("out") == ("ran\n" if "ran" in command else "")


def test_files_and_a_program(project: Project) -> None:
    project.put("k.so", "0.1.9")
    project.put("rules", "1")
    assert ci(project, "--trace=true", "k.so").exit_code == 1
    assert {suite.name for suite in JUnitXml.fromfile("conformance/junit.xml")} == {
        "inspect",
        "trace true",
    }
    assert ci(project, "k.so").exit_code == 0
    assert not Path("conformance/trace.jsonl").exists()
    for options in ("-- rm", "rm", "--preset=deep rm"):
        done = ci(project, "--trace=true", f"--trace-options={options}", "k.so")
        assert "is not an option" in str(done.exception)
    done = ci(project, "--trace=true", "--trace-options='", "k.so")
    assert "trace options: No closing quotation" in str(done.exception)
    assert "no files given" in str(ci(project).exception)


def test_the_version_is_that_of_the_program(project: Project) -> None:
    done = project.shell("tvmffi-harness", "--version", TVMFFI_CONFORM=str(project.program))
    said = project.shell(str(project.program), "--version").stdout
    assert (done.returncode, done.stdout) == (0, f"tvmffi-harness, with {said}")


def test_what_the_system_refuses_is_told_and_is_no_verdict(project: Project) -> None:
    project.put("k.so", "0.1.9")
    project.put("out", "a file")
    harness = ["tvmffi-harness", "ci", "--tool", str(project.program), "k.so"]
    done = project.shell(*harness, "-o", "out")
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr
        == "tvmffi-harness: out: a folder is wanted, and a file is there; name another\n"
    )
    if Path("/dev/full").exists():
        done = project.shell("sh", "-c", f"{' '.join(harness)} >/dev/full")
        assert done.returncode == 2
        assert done.stderr == "tvmffi-harness: the output: No space left on device\n"


def test_options_reach_the_program(project: Project) -> None:
    for name in ("p.json", "w.json", "s.json"):
        project.put(name, "{}")
    project.put("k.so", "good 0.1.9")
    files = ["--policy", "p.json", "--waivers", "w.json", "--signatures", "s.json"]
    assert ci(project, *files, "--strict", "--runtime", "reference", "k.so").exit_code == 0
    told = project.read("bin/inspected").split()
    assert told[told.index("--policy") + 1] == "p.json"
    assert "--strict" in told
    words = project.read("bin/arguments")
    assert words == "--strict --waivers w.json --signatures s.json"
    more = ["--gate", "hardening", "--scope", "core", "--min-judged", "0", "--strict"]
    assert ci(project, *more, "--runtime", "reference", "k.so").exit_code == 0
    assert project.read("bin/arguments") == "--gate hardening --scope core --min-judged 0"
    assert "--strict" in project.read("bin/inspected").split()


def test_modules_are_judged_next_to_those_of_the_release_before(project: Project) -> None:
    project.put("k.so", "good 0.1.9")
    project.put("before/k.so", "good 0.1.8")
    told = ("--before", "before", "--runtime", "reference")
    arguments = project.root / "bin" / "arguments"
    expected = ["--same-as", str((project.root / "before" / "k.so").resolve())]
    assert ci(project, *told, "k.so").exit_code == 0
    assert arguments.read_text().split() == expected
    # The same two builds are not judged again, another one of the release before is.
    arguments.unlink()
    assert ci(project, *told, "k.so").exit_code == 0
    assert not arguments.exists()
    project.put("before/k.so", "good 0.1.7")
    assert ci(project, *told, "k.so").exit_code == 0
    assert arguments.read_text().split() == expected


def test_a_new_module_is_judged_by_itself(project: Project) -> None:
    project.put("new.so", "good 0.1.9")
    (project.root / "before").mkdir()
    harness = ("tvmffi-harness", "ci", "--tool", str(project.program), "--runtime", "reference")
    done = project.shell(*harness, "--before", "before", "new.so")
    assert done.returncode == 0
    assert "new.so: no before/new.so, so it is judged by itself" in done.stderr
    assert project.read("bin/arguments") == ""
    done = project.shell(*harness, "--before", "nowhere", "new.so")
    assert done.returncode == 2
    assert "--before nowhere: not a folder" in done.stderr


def step(project: Project, name: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """One step of the Action, as the runner starts it: its inputs' defaults, and its files."""
    chosen = next(s for s in ACTION["runs"]["steps"] if s.get("run", "").endswith(f" {name}"))
    given = {
        key: ACTION["inputs"][match[1]].get("default", "")
        for key, value in chosen.get("env", {}).items()
        for match in [re.fullmatch(r"\$\{\{ inputs\.([a-z-]+) \}\}", value)]
        if match
    }
    runner = {
        "GITHUB_ACTION_PATH": str(ROOT),
        "GITHUB_OUTPUT": str(project.root / "github_output"),
        "GITHUB_STEP_SUMMARY": str(project.root / "github_summary"),
        "GITHUB_PATH": str(project.root / "github_path"),
        "RUNNER_TEMP": str(project.root),
    }
    return project.shell("bash", "-e", "-c", chosen["run"], **{**given, **runner, **variables})


def test_the_steps_of_the_action(project: Project) -> None:
    project.put("build/k.so", "good 0.1.9")
    project.put("build/my lib.so", "unloadable")
    assert "found tvmffi-harness" in step(project, "install").stdout
    project.put("before/k.so", "good 0.1.8")
    done = step(
        project,
        "judge",
        TVMFFI_FILES="build/*.so\n",
        TVMFFI_RUNTIMES="reference\n",
        TVMFFI_BEFORE="before",
    )
    assert "build/my lib.so: no before/my lib.so, so it is judged by itself" in done.stderr
    assert done.returncode == 0, done.stdout + done.stderr
    said = outputs(project, "github_output")
    assert (said["files"], said["status"]) == ("2", "3")
    assert "## TVM FFI ABI" in project.read("github_summary")
    assert set(
        re.findall(r"steps\.judge\.outputs\.(\w+)", (ROOT / "action.yml").read_text())
    ) <= set(said)
    assert step(project, "verdict", TVMFFI_STATUS="0").returncode == 0
    assert step(project, "verdict", TVMFFI_STATUS=said["status"]).returncode == 3
    assert step(project, "verdict", TVMFFI_STATUS="1").returncode == 1
    done = step(project, "verdict", TVMFFI_STATUS="5")
    assert (done.returncode, "inconclusive: " in done.stdout) == (5, True)
    assert step(project, "verdict", TVMFFI_STATUS="").returncode == 2


def test_what_the_action_installs_leaves_the_python_of_the_job(project: Project) -> None:
    """The tests of a job need its packages, and pytest the plugin in its Python."""
    (project.bin / "tvmffi-harness").unlink()
    project.put("action/harness/ci/github.sh", (ROOT / "harness/ci/github.sh").read_text())
    scripts = {
        "action/.ci/install_packages": "",
        "bin/make": "",
        "bin/python3": """
            mkdir -p "$3/bin" "$3/lib/python3.11/site-packages/tvmffi_conform-1.dist-info"
            mkdir "$3/lib/python3.11/site-packages/tvmffi_conform"
            for name in python tvmffi-conform tvmffi-harness; do
              ln -s /bin/true "$3/bin/$name"
            done""",
    }
    for name, text in scripts.items():
        project.put(name, f"#!/bin/sh\n{text}\n")
        (project.root / name).chmod(0o755)
    given = {"RUNNER_TEMP": str(project.root / "temp"), "GITHUB_PATH": str(project.root / "path")}
    given["PATH"] = f"{project.bin}:/usr/bin:/bin"
    done = project.shell("bash", "action/harness/ci/github.sh", "install", **given)
    assert done.returncode == 0, done.stdout + done.stderr
    programs = Path(project.read("path").strip())
    assert sorted(os.listdir(programs)) == ["tvmffi-conform", "tvmffi-harness"]
    plugin = project.root / "temp/tvmffi-conform/plugin"
    assert sorted(os.listdir(plugin)) == ["tvmffi_conform", "tvmffi_conform-1.dist-info"]
    assert all((plugin / name).is_dir() for name in os.listdir(plugin))


def test_a_traced_pytest_finds_the_plugin_of_the_action(project: Project) -> None:
    (project.root / "temp/tvmffi-conform/plugin").mkdir(parents=True)
    told = {"RUNNER_TEMP": str(project.root / "temp"), "TVMFFI_TRACE": "echo $PYTHONPATH >out"}
    assert step(project, "judge", PYTHONPATH="mine", **told).returncode == 0
    assert project.read("out") == f"{project.root}/temp/tvmffi-conform/plugin:mine\n"


def test_the_action_passes_on_what_counts(project: Project) -> None:
    project.put("k.so", "vague 0.1.9")
    given = {"TVMFFI_GATE": "should", "TVMFFI_SCOPE": "core,headers", "TVMFFI_MIN_JUDGED": "80"}
    step(project, "judge", TVMFFI_FILES="k.so", TVMFFI_RUNTIMES="reference", **given)
    assert outputs(project, "github_output")["status"] == "5"
    assert project.read("bin/arguments") == "--gate should --scope core,headers --min-judged 80"


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"TVMFFI_FILES": ""}, "the inputs 'files' and 'trace' are empty"),
        ({"TVMFFI_FILES": "none.so"}, "no result (exit code 2)"),
        ({"TVMFFI_TRACE": "true", "TVMFFI_TRACE_OPTIONS": "-- rm"}, "no result (exit code 2)"),
        ({"TVMFFI_FILES": "k.so", "TVMFFI_STRICT": "yes"}, "write true or false"),
    ],
)
def test_a_step_that_can_say_nothing_fails(
    project: Project, variables: dict[str, str], said: str
) -> None:
    project.put("k.so", "0.1.9")
    done = step(project, "judge", **variables)
    assert done.returncode == 2
    assert "::error title=tvmffi-conform::" in done.stdout
    assert said in done.stdout
    assert not project.read("github_output")


def test_inputs_are_never_commands(project: Project) -> None:
    assert not [s for s in ACTION["runs"]["steps"] if "${{" in s.get("run", "")]
    project.put("k.so", "0.1.9")
    hostile = "k.so $(touch owned) ; touch owned `touch owned`"
    step(project, "judge", TVMFFI_FILES=hostile, TVMFFI_POLICY="$(touch owned)")
    assert not (project.root / "owned").exists()


def test_the_action_and_the_template_trace(project: Project) -> None:
    project.put("rules", "2")
    given = {"TVMFFI_TRACE": "echo 'a  b' >out", "TVMFFI_TRACE_OPTIONS": "--preset=fast"}
    assert step(project, "judge", **given).returncode == 0
    said = outputs(project, "github_output")
    assert (said["status"], said["trace_errors"]) == ("1", "2")
    assert project.read("out") == "a  b\n"
    assert "--preset=fast\n--" in project.read("bin/traced")
    (project.root / "out").unlink()
    assert gitlab(project, **given).returncode == 1
    assert project.read("out") == "a  b\n"
    project.put("rules", "0")
    assert gitlab(project, TVMFFI_TRACE="true").returncode == 0


def test_every_input_reaches_a_step(project: Project) -> None:
    told = (ROOT / "action.yml").read_text().split("\nruns:")[1]
    used = set(re.findall(r"inputs\.([a-z-]+)", told))
    assert used == set(ACTION["inputs"])
    assert all(s["shell"] == "bash" for s in ACTION["runs"]["steps"] if "run" in s)


def gitlab(project: Project, **variables: str) -> subprocess.CompletedProcess[str]:
    """The job of the template, as its runner joins its lines."""
    job = yaml.safe_load(TEMPLATE.read_text())[".tvmffi-conform"]
    lines = [*job["before_script"], *job["script"]]
    return project.shell("sh", "-e", "-c", "\n".join(lines), **{**job["variables"], **variables})


@pytest.mark.parametrize(
    ("install", "status", "told"),
    [("", 2, ""), ("tvmffi-conform", 2, ""), ("dist/x.whl", 0, "dist/x.whl"), ("./x", 0, "./x")],
)
def test_the_template_installs_no_name_of_the_public_index(
    project: Project, install: str, status: int, told: str
) -> None:
    (project.bin / "tvmffi-harness").unlink()
    log = project.root / "log"
    (project.bin / "python3").write_text(f'#!/bin/sh\necho "$*" >>"{log}"\n')
    (project.bin / "python3").chmod(0o755)
    lines = yaml.safe_load(TEMPLATE.read_text())[".tvmffi-conform"]["before_script"]
    done = project.shell("sh", "-e", "-c", "\n".join(lines), TVMFFI_INSTALL=install)
    assert done.returncode == status
    assert log.exists() == (status == 0)
    if told:
        assert log.read_text() == f"-m pip install -q {told}\n"
    else:
        assert "set TVMFFI_INSTALL" in done.stderr


def test_the_job_of_the_template(project: Project) -> None:
    project.put("build/k.so", "good 0.1.9")
    project.put("p.json", "{}")
    variables = {
        "TVMFFI_FILES": "build/*.so",
        "TVMFFI_RUNTIMES": "reference",
        "TVMFFI_STRICT": "true",
    }
    done = gitlab(project, TVMFFI_POLICY="p.json", **variables)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "--policy\np.json\n--strict" in project.read("bin/inspected")
    job = yaml.safe_load(TEMPLATE.read_text())[".tvmffi-conform"]
    junit = job["artifacts"]["reports"]["junit"].replace("$TVMFFI_OUTPUT", "conformance")
    assert suites_in(str(project.root / junit)).tests > 0
    project.put("build/k.so", "bad 0.1.9")
    assert gitlab(project, **variables).returncode == 1
    project.put("build/k.so", "vague 0.1.9")
    given = {"TVMFFI_GATE": "should", "TVMFFI_SCOPE": "core", "TVMFFI_MIN_JUDGED": "80"}
    assert gitlab(project, **{**variables, **given}).returncode == 5
    assert project.read("bin/arguments") == "--gate should --scope core --min-judged 80"
    project.put("before/k.so", "good 0.1.8")
    gitlab(project, **variables, TVMFFI_BEFORE="before")
    assert "--same-as" in project.read("bin/arguments")
    assert gitlab(project, TVMFFI_FILES="none.so").returncode == 2
    assert gitlab(project).returncode == 2

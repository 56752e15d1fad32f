# SPDX-License-Identifier: Apache-2.0
"""Has a module attack this machine: without the sandbox, where it succeeds, and with it.

Usage: check_attacks.py [--reader] TOOL RUNTIME.so ATTACK.so WITHOUT
       check_attacks.py --verbs TOOL RUNTIME.so ATTACK.so WITHOUT RUNTIME_ATTACK.so

With --reader it is what reads a file for `inspect` that attacks, as if it had a flaw. With --verbs
the attacks go through the other verbs that load libraries, with RUNTIME_ATTACK.so for a runtime.

WITHOUT simulates kernels that lack something: there the report has to say which promises are not
kept, and `--sandbox=on` ends with the reason. What this machine forbids anybody is no evidence: an
attack that is refused without the sandbox, too, is named and not counted. Where fewer than 30 are
left the exit code is 77, which CTest takes as skipped.
"""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Json = dict[str, Any]

SKIPPED = 77
LEAST = 30
STORM, MOST = 6000, 4096
CASE = "version.exports-get-version"
OUTCOMES = {"1": "succeeded", "0": "refused", "?": "broken", "": "missing"}
ATTACK = re.compile(r"^ATTACK\((\w+), (\w+),", re.MULTILINE)


def read_attacks() -> dict[str, str]:
    """The promise that each attack would break."""
    return dict(ATTACK.findall(Path(__file__).with_name("attacks.def").read_text()))


@dataclass
class Machine:
    """A kernel that may lack something, and the tool on it."""

    name: str
    tool: list[str]
    runtime: str
    reader: bool

    def start(self, *words: str | Path, **how: Any) -> subprocess.CompletedProcess[str]:
        command = [*self.tool, *words]
        return subprocess.run(command, capture_output=True, text=True, check=False, **how)

    def sandbox(self) -> Json:
        """What the report says of it."""
        words = ["inspect"] if self.reader else ["run", "--filter=version.*"]
        words += ["--quiet", "--report=json:-", self.runtime]
        run = self.start(*words)
        if run.returncode != 0:
            raise SystemExit(f"{self.name}: the run did not end as it should:\n{run.stderr}")
        sandbox: Json = json.loads(run.stdout)["sandbox"]
        return sandbox

    def attack(
        self, where: Path, attacks: list[str], mode: str, verb: list[str] | None = None
    ) -> dict[str, str]:
        """What became of each, from a shell with a token, a terminal and an open file."""
        library = where / "library" / "attack.so"
        words, environment = (
            verb or ["run", "--jobs=1", "--runtime", self.runtime],
            {"SECRET_TOKEN": "secret"},
        )
        if self.reader:
            words, environment = ["inspect"], {"LD_PRELOAD": str(library)}
        with what_is_attacked(where, attacks) as (inherited, terminal):
            if self.reader:  # it can't read what lies beside
                for name in ("pid", "port"):
                    environment[name] = (library.parent / name).read_text()
            run = self.start(
                *words,
                f"--sandbox={mode}",
                library,
                env={**os.environ, **environment},
                pass_fds=inherited,
                start_new_session=True,
                preexec_fn=lambda: fcntl.ioctl(terminal, termios.TIOCSCTTY, 0),
            )
        if run.returncode != 42 and "called exit(42)" not in run.stderr:
            raise SystemExit(f"{self.name}: the attacks did not end as they should:\n{run.stderr}")
        found = dict(re.findall(r"(\w+)=(.)$", run.stdout + run.stderr, re.MULTILINE))
        return {name: OUTCOMES[found.get(name, "")] for name in attacks}

    def check_runner(self, where: Path, sandbox: Json, how: str, lost: str) -> int:
        """Whether there is a report though a library kills or stops what would write it."""
        library, report = where / "library" / f"{how}_runner.so", where / f"{how}.json"
        shutil.copy(where / "library" / "attack.so", library)
        options = (f"--sandbox={sandbox['mode']}", "--runtime", self.runtime)
        words = ("run", "-q", "--filter=load.symbols-resolve", *options, f"--report=json:{report}")
        run = self.start(*words, library, timeout=60)
        standing = json.loads(report.read_text())["verdict"]["standing"] if report.exists() else ""
        report.unlink(missing_ok=True)
        if sandbox["promises"]["signals"] or lost not in run.stderr:
            good = standing not in ("", "not_judged")
        else:
            good = standing == "not_judged" and run.returncode == 3
        if not good:
            print(
                f"WRONG: {self.name}: {how} the runner: {run.returncode}, {standing}, {run.stderr}"
            )
        return 0 if good else 1

    def check_verb(self, where: Path, verb: list[str], off: dict[str, str], sandbox: Json) -> int:
        """Whether the attacks are kept out, and the supervisor is there, with another verb."""
        on, wrong = self.attack(where, list(off), "auto", verb), 0
        promises = read_attacks()
        for name, outcome in on.items():
            kept = sandbox["promises"][promises[name]] and off[name] == "succeeded"
            if outcome not in ("refused", "succeeded") or (kept and outcome == "succeeded"):
                wrong += 1
                print(f"WRONG: {self.name}: {verb[0]}: {name}: {outcome}")
        library = where / "library" / "kill_runner.so"
        shutil.copy(where / "library" / "attack.so", library)
        if not sandbox["promises"]["signals"]:
            run = self.start(*verb, library, timeout=60)
            # (The worker of `bench` loads a library in a child first.)
            lost = "crashed with" if verb == ["bench"] else "the runner was killed"
            if run.returncode != 3 or f"{lost} " not in run.stderr or "SIGKILL" not in run.stderr:
                wrong += 1
                print(f"WRONG: {self.name}: {verb[0]}: {run.returncode}, {run.stderr}")
        print(f"{self.name}: {verb[0]}: {list(on.values()).count('refused')} attacks are refused")
        return wrong

    def check_storm(self, where: Path, sandbox: Json) -> int:
        """Whether processes are bounded, and none is left, where no runner counts them."""
        means = {each["name"]: each for each in sandbox["means"]}
        bounded = "processes" in means["PID namespace"]["text"]
        reached, left = {}, {}
        for mode in ("off", "auto"):
            for name in ("storm", "leave"):
                shutil.copy(where / "library" / "attack.so", where / "library" / f"{name}.so")
                words = ("repro", f"--sandbox={mode}", CASE, where / "library" / f"{name}.so")
                said = self.start(*words).stdout
                if name == "storm":
                    found = re.search(r"storm=(\d+)", said)
                    reached[mode] = int(found[1]) if found else -1
                elif "left=1" in said:
                    left[mode] = end_left_behind()
        wrong = 0
        if bounded and reached["off"] < STORM:
            print(f"{self.name}: cannot be shown: {reached['off']} processes without the sandbox")
        if reached["auto"] < 0 or (bounded and reached["auto"] > MOST):
            wrong += 1
            print(f"WRONG: {self.name}: {reached['auto']} processes in the sandbox")
        if left != {"off": 1, "auto": 0}:
            wrong += 1
            print(f"WRONG: {self.name}: processes left behind: {left}")
        print(f"{self.name}: processes without the sandbox and in it: {reached}, left: {left}")
        return wrong

    def check_crash(self, where: Path) -> int:
        """Whether a reader that crashes loses the file that it reads, and no other."""
        folder, attack = where / "library", where / "library" / "attack.so"
        names = ["one.so", "crash.so", "two.so", "too/crash.so", "three.so"]
        (folder / "too").mkdir(exist_ok=True)
        for name in names:
            shutil.copy(attack if "crash" in name else self.runtime, folder / name)
        environment = {**os.environ, "LD_PRELOAD": str(attack)}
        report = where / "crash.json"
        files = [folder / name for name in names]
        run = self.start("inspect", f"--report=json:{report}", *files, env=environment)
        told = (
            json.loads(report.read_text()) if report.exists() else {"files": [], "unreadable": []}
        )
        seen = [Path(file["path"]) for file in told["files"]]
        lost = {Path(file["path"]): file["message"] for file in told["unreadable"]}
        why = "could not be read: the reader died (SIGABRT)"
        good = run.returncode == 3 and seen == [files[0], files[2], files[4]]
        good = good and lost == {files[1]: why, files[3]: why}
        good = good and all(run.stdout.count(f"{file}") == 1 for file in seen)
        good = good and all(run.stderr.count(f"{file}") == 1 for file in lost)
        report.unlink(missing_ok=True)
        for verb in (["run"], ["repro", CASE], ["bench"], ["fuzz", "--runs=1"], ["signatures"]):
            other = self.start(*verb, files[1], env=environment)
            if other.returncode != 3 or f"{files[1]}: {why}" not in other.stderr:
                good = False
                print(f"WRONG: {self.name}: {verb[0]}: {other}")
        if not good:
            print(f"WRONG: {self.name}: a reader crashed: {run}, {told['unreadable']}, {seen}")
        return 0 if good else 1

    def check_room(self, where: Path, sandbox: Json) -> int:
        """Whether the private directory is bounded."""
        library, room = where / "library" / "fill.so", {}
        means = {each["name"]: each for each in sandbox["means"]}
        shutil.copy(where / "library" / "attack.so", library)
        for mode in ("off", "auto"):
            said = self.start("repro", f"--sandbox={mode}", CASE, library).stdout
            found = re.search(r"fill=(\d+)", said)
            room[mode] = int(found[1]) if found else -1
        most = re.fullmatch(r"(\d+) MiB", means["tmpfs"]["text"])
        print(f"{self.name}: MiB in the private directory: {room}, {means['tmpfs']}")
        if not means["tmpfs"]["in_force"]:
            return 0 if means["tmpfs"]["text"] else 1
        if most and 0 <= room["auto"] <= int(most[1]):
            return 0
        print(f"WRONG: {self.name}: the private directory is not bounded")
        return 1

    def check_handed_in(self, where: Path, off: dict[str, str], sandbox: Json, kernel: str) -> int:
        """Whether files of JSON, and what a module says, are read by what can do nothing else."""
        attack, wrong, promises = where / "library" / "attack.so", 0, read_attacks()
        environment = {**os.environ, "LD_PRELOAD": str(attack)}
        finding = where / "finding"
        finding.mkdir(exist_ok=True)
        (finding / "input.bin").write_bytes(b"")
        for kind in ("attack", "crash"):
            file = where / f"{kind}.json"
            for place in (file, finding / "finding.json"):
                place.write_text(f'{{"{kind}": 1}}')
            signatures, array = where / "signatures.json", {"npy": f"{kind}.npy"}
            signatures.write_text(json.dumps(called_with(array)))
            (where / array["npy"]).write_bytes(b"")
            judge = ["run", "-q", "--filter=version.*", self.runtime]
            for words in (
                [*judge, "--waivers", str(file)],
                [*judge, "--gate", str(file)],
                ["fuzz", "--runs=1", self.runtime, "--replay", str(finding)],
                ["run", "-q", "--runtime", self.runtime, kernel, "--signatures", str(signatures)],
            ):
                with what_is_attacked(where, list(off)):
                    for name in ("pid", "port"):
                        environment[name] = (attack.parent / name).read_text()
                    run = self.start(*words, env=environment, start_new_session=True)
                found = dict(re.findall(r"^(\w+)=(.)$", run.stdout, re.MULTILINE))
                broken = [
                    name
                    for name, outcome in off.items()
                    if outcome == "succeeded"
                    and found.get(name) != "0"
                    and sandbox["promises"][promises[name]]
                ]
                lost = "the reader died (SIGABRT)" if kind == "crash" else "could not be read"
                if "--signatures" in words:
                    # Not the process that reads the signature file: one of the array's own.
                    lost = f"{array['npy']}: could not be read"
                if run.returncode != 2 or lost not in run.stderr or (kind == "attack" and broken):
                    wrong += 1
                    print(f"WRONG: {self.name}: {words}: {broken}: {run}")
        return wrong

    def check_on(self, sandbox: Json) -> int:
        """Whether `on` starts where all is kept, and says what is not where it isn't."""
        words = ["inspect"] if self.reader else ["run", "--filter=version.*"]
        run = self.start(*words, "--quiet", "--sandbox=on", self.runtime)
        broken = [name for name, kept in sandbox["promises"].items() if not kept]
        lacking = [each["name"] for each in sandbox["means"] if not each["in_force"]]
        says = not broken or f'"{broken[0]}"' in run.stderr
        says = says and (not broken or all(name in run.stderr for name in lacking))
        if run.returncode == (2 if broken else 0) and says:
            return 0
        print(f"WRONG: {self.name}: --sandbox=on ends with {run.returncode}: {run.stderr}")
        return 1


def end_left_behind() -> int:
    """Ends the processes that leave.so left, and says how many there were."""
    count = 0
    for name in Path("/proc").glob("[0-9]*/comm"):
        try:
            stat = name.with_name("stat").read_text()
            if name.read_text() != "tvmffi-left\n" or stat.rpartition(")")[2].split()[0] == "Z":
                continue
            process = os.pidfd_open(int(name.parent.name))
            os.kill(int(name.parent.name), signal.SIGKILL)
            select.select([process], [], [])  # until it has ended
            os.close(process)
            count += 1
        except OSError:
            continue
    return count


@contextmanager
def what_is_attacked(where: Path, attacks: list[str]) -> Iterator[tuple[list[int], int]]:
    """Makes it, and gives descriptors of a file and a directory, and a terminal."""
    beside, outside = where / "library", where / "outside"
    shutil.rmtree(outside, ignore_errors=True)
    outside.mkdir()
    (outside / "mounted").mkdir()
    for name in [*attacks, "descriptor"]:
        (outside / name).write_text("secret\n")
    (outside / "program").write_text("#!/bin/sh\nexit 42\n")
    (outside / "program").chmod(0o755)
    for name in ("new", "link"):
        (beside / name).unlink(missing_ok=True)
    (beside / "link").symlink_to(outside / "read_by_link")
    master, slave = pty.openpty()
    server, local, abstract = socket.socket(), *(socket.socket(socket.AF_UNIX) for _ in range(2))
    datagrams = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    inherited = [os.open(outside / name, os.O_RDONLY) for name in ("descriptor", ".")]
    other = subprocess.Popen(["cat"], stdin=subprocess.PIPE, env={**os.environ, "TOKEN": "secret"})
    try:
        server.bind(("127.0.0.1", 0))
        server.listen()
        home = os.open(".", os.O_RDONLY)
        os.chdir(outside)  # the path of a socket is short
        local.bind("socket")
        datagrams.bind("datagrams")
        os.fchdir(home)
        os.close(home)
        local.listen()
        abstract.bind(f"\0tvmffi-conform-{other.pid}")
        abstract.listen()
        (beside / "pid").write_text(str(other.pid))
        (beside / "port").write_text(str(server.getsockname()[1]))
        yield inherited, slave
    finally:
        other.kill()
        other.communicate()
        for end in (server, local, abstract, datagrams):
            end.close()
        for file in (*inherited, master, slave):
            os.close(file)


def called_with(array: Json) -> Json:
    """A signature file whose example has to be the call that is listed, with this array."""
    x = {"name": "x", "kind": "tensor", "dtype": "float32", "shape": "n"}
    function = {
        "parameters": [x, {**x, "name": "y", "role": "out"}],
        "where": ["x[0] == 41"],
        "calls": [{"arguments": {"x": array}}],
    }
    return {"functions": {"add_one": function}}


def compare(machine: Machine, off: dict[str, str], where: Path) -> tuple[int, int]:
    """How many attacks are shown to be kept out, and how many things are wrong."""
    promises = read_attacks()
    if machine.reader:
        del promises["environment"]  # it is in the memory of the reader, which has nobody to tell
    sandbox = machine.sandbox()
    on = machine.attack(where, list(promises), "auto")
    shown, wrong = 0, machine.check_on(sandbox)
    if machine.reader:
        wrong += machine.check_crash(where)
        runs = []
    else:
        killed = "was killed (SIGKILL)"
        runs = [("kill", killed), ("own", killed), ("stop", "was stopped (SIGSTOP)")]
    for how, lost in runs:
        wrong += machine.check_runner(where, sandbox, how, lost)
    for name, promise in promises.items():
        outcome = (off[name], on[name])
        if outcome == ("succeeded", "refused"):
            shown += 1
        elif outcome == ("refused", "refused"):
            print(f"{machine.name}: cannot be shown: {name} is refused without the sandbox, too")
        elif outcome != ("succeeded", "succeeded") or sandbox["promises"][promise]:
            wrong += 1
            print(f"WRONG: {machine.name}: {name}: {off[name]} without, {on[name]} in the sandbox")
    forces = (f"{'' if each['in_force'] else 'no '}{each['name']}" for each in sandbox["means"])
    print(f"{machine.name}: {', '.join(forces)}: {shown} of {len(promises)} attacks are kept out")
    return shown, wrong


def check_namespaces(sandbox: Json) -> int:
    """Whether they are in force where another program can have them."""
    words = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "true"]
    lacking = [m for m in sandbox["means"] if "namespace" in m["name"] and not m["in_force"]]
    if not lacking or not shutil.which(words[0]) or "SANITIZED" in os.environ:
        return 0
    if subprocess.run(words, capture_output=True, check=False).returncode != 0:
        print(f"namespaces cannot be had here: {lacking[0]['why']}")
        return 0
    print(f"WRONG: namespaces can be had here, and are not in force: {lacking}")
    return 1


def machines(tool: str, runtime: str, without: str, reader: bool) -> Iterator[Machine]:
    yield Machine("this machine", [tool], runtime, reader)
    every = ["landlock", "seccomp", "user_namespaces", "pid_namespaces"]
    lacks = [["landlock"], ["seccomp"], every]
    others = [["user_namespaces"], ["pid_namespaces"], [every[0], *every[2:]]]
    # What reads files has no namespaces.
    lacks = [*lacks[:2], every[:2]] if reader else lacks + others
    for lacking in lacks:
        if subprocess.run([without, *lacking, "--", "true"], check=False).returncode == 0:
            name = f"without {' and '.join(lacking)}"
            yield Machine(name, [without, *lacking, "--", tool], runtime, reader)


DEVICES = """
mount -t tmpfs none "$1"
for name in null zero full random urandom; do
  touch "$1/$name"
  mount --bind /dev/$name "$1/$name"
done
mkdir "$1/nvidia-caps"
for name in nvidia0 nvidiactl nvidia-uvm nvidia-caps/nvidia-cap1 kvm sda mem; do
  touch "$1/$name"
done
mount --rbind "$1" /dev
shift
exec "$@"
"""


def check_devices(tool: str, runtime: str, module: str) -> int:
    """What a module can do that a real device's driver needs: files stand for its devices."""
    entered = ["unshare", "--user", "--map-root-user", "--mount"]
    wanted = {
        "cuda:0": {"nvidia0", "nvidiactl", "nvidia-uvm", "nvidia-caps/nvidia-cap1"}
        | {"null", "thread", "listens"},
        "fake": {"null", "thread"},
    }
    if not shutil.which(entered[0]) or subprocess.run([*entered, "true"], check=False).returncode:
        print("cannot be shown here: a /dev of one's own needs namespaces")
        return 0
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        library, place = Path(folder) / "device.so", Path(folder) / "dev"
        shutil.copy(module, library)
        place.mkdir()
        for device, names in wanted.items():
            command = [*entered, "sh", "-ec", DEVICES, "sh", place, tool]
            words = ["run", "--jobs=1", f"--device={device}", "--runtime", runtime, library]
            run = subprocess.run([*command, *words], capture_output=True, text=True, check=False)
            found = dict(re.findall(r"([a-z0-9/-]+)=([01])$", run.stderr, re.MULTILINE))
            opened = {name for name, outcome in found.items() if outcome == "1"}
            print(f"--device={device} opens {', '.join(sorted(opened))}")
            if opened != names:
                wrong += 1
                print(f"WRONG: it should open {names}: {run.stderr}")
    return wrong


def check_verbs(tool: str, runtime: str, module: str, without: str, attack: str) -> int:
    """With the runtime `attack` where a verb takes runtimes."""
    names = ["signal", "tcp", "read", "write", "process_environment", "environment", "descriptor"]
    unprotected = ["landlock", "seccomp", "user_namespaces", "pid_namespaces"]
    wrong = check_devices(tool, runtime, module)
    off: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder)
        library = where / "library" / "attack.so"
        library.parent.mkdir()
        for lacking in ([], unprotected):
            if subprocess.run([without, *lacking, "--", "true"], check=False).returncode != 0:
                continue
            name = f"without {' and '.join(lacking)}" if lacking else "this machine"
            command = [without, *lacking, "--", tool] if lacking else [tool]
            machine = Machine(name, command, runtime, reader=False)
            sandbox = machine.sandbox()
            shutil.copy(module, library)
            off = off or machine.attack(where, names, "off")
            signatures = ["signatures", "--runtime", runtime]
            wrong += machine.check_verb(where, signatures, off, sandbox)
            shutil.copy(attack, library)
            for verb in (["repro", CASE], ["bench"], ["fuzz", "--runs=1"]):
                wrong += machine.check_verb(where, verb, off, sandbox)
            wrong += machine.check_storm(where, sandbox)
            wrong += machine.check_room(where, sandbox)
    return 1 if wrong else 0


def main() -> int:
    if sys.argv[1] == "--verbs":
        return check_verbs(*sys.argv[2:])
    reader = sys.argv[1] == "--reader"
    tool, runtime, module, without, *more_files = sys.argv[1 + reader :]
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder)
        (where / "library").mkdir()
        shutil.copy(module, where / "library" / "attack.so")
        here, *others = machines(tool, runtime, without, reader)
        wrong = 0 if reader else check_namespaces(here.sandbox())
        off = here.attack(where, list(read_attacks()), "off")
        shown, more = compare(here, off, where)
        if reader:
            # (Other kernels confine what reads a file in one way, whatever it reads.)
            more += here.check_handed_in(where, off, here.sandbox(), *more_files)
        wrong += more + sum(compare(other, off, where)[1] for other in others)
    if wrong:
        return 1
    return 0 if shown >= LEAST else SKIPPED


if __name__ == "__main__":
    sys.exit(main())

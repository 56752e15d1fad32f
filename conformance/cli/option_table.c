// SPDX-License-Identifier: Apache-2.0
// The options of the verbs. An option that means something else to some verbs has a row for each meaning.
#include "cli/option_table.h"

#include "bench/bench.h"
#include "cli/option_values.h"

// Where in Options a value goes: the offset of a member, which does not compile for a member of another type.
#define MEMBER(type, member) _Generic(((Options *)0)->member, type : offsetof(Options, member))
#define FLAG(member)                              \
  {                                               \
    OPTION_FLAG, MEMBER(bool, member), 0, 0, NULL \
  }
#define TEXT(member)                                      \
  {                                                       \
    OPTION_TEXT, MEMBER(const char *, member), 0, 0, NULL \
  }
#define WORD(member)                                      \
  {                                                       \
    OPTION_WORD, MEMBER(const char *, member), 0, 0, NULL \
  }
#define CHOICE(type, member, first)                     \
  {                                                     \
    OPTION_CHOICE, MEMBER(type, member), first, 0, NULL \
  }
#define NUMBER(member, least, most)                              \
  {                                                              \
    OPTION_UNSIGNED, MEMBER(unsigned, member), least, most, NULL \
  }
#define LONG_NUMBER(member, least)                                   \
  {                                                                  \
    OPTION_UINT64, MEMBER(uint64_t, member), least, UINT64_MAX, NULL \
  }
#define TAKEN_BY(function)             \
  {                                    \
    OPTION_TAKEN_BY, 0, 0, 0, function \
  }

// clang-format off
static const Option table[] = {
    {"profile", 0, "auto|runtime|module", "Profile to judge the library as; auto: by its symbols",
     V(run), CHOICE(InspectProfile, profile, INSPECT_PROFILE_NONE)},
    {"abi", 0, "auto|0.1|2025-09", "ABI generation; auto: detect it",
     V(run) | V(repro) | V(fuzz), WORD(abi)},
    {"abi", 0, "auto|0.1|2025-09", "ABI generation to test; auto: 0.1",
     V(self_test), WORD(abi)},
    {"runtime", 0, "FILE.so", "Runtime to load the module into",
     V(run) | V(repro) | V(signatures), TEXT(runtime)},
    {"worker", 0, "FILE",
     "Worker to load the library with, if it needs another C library than this program",
     V(fuzz) | V(run) | V(repro) | V(signatures) | V(bench) | V(replay), TEXT(worker)},
    {"signatures", 0, "FILE", "Signatures of the functions of a module (JSON; see SIGNATURES.md)", V(run) | V(repro),
     TEXT(signatures)},
    {"signatures", 0, "FILE", "Known signatures (JSON; see SIGNATURES.md); the rest is probed", V(signatures),
     TEXT(signatures)},
    {"from", 0, "FILE", "Make them of the calls in a recording (see RECORDINGS.md), without loading the module", V(signatures),
     TEXT(from)},
    {"same-as", 0, "OTHER.so",
     "Another build of the module: calls must give what it gives (see SIGNATURES.md)", V(run) | V(repro), TEXT(same_as)},
    {"device", 0, "stand-in|fake|cuda:0",
     "CUDA devices: a stand-in that keeps account and computes nothing (the default), inaccessible memory alone, or the "
     "N-th real one",
     V(run) | V(repro), TAKEN_BY(option_take_device)},
    {"filter", 0, "GLOB", "Select cases by a glob over case ids or clauses (repeatable)", V(run),
     TAKEN_BY(option_take_filter)},
    {"filter", 0, "GLOB", "Select by a glob over case ids or clauses (repeatable)", V(list),
     TAKEN_BY(option_take_filter)},
    {"exclude", 0, "GLOB", "Leave these cases out: a glob (repeatable)", V(run), TAKEN_BY(option_take_exclude)},
    {"exclude", 0, "GLOB", "Leave these out: a glob (repeatable)", V(list), TAKEN_BY(option_take_exclude)},
    {"exclude", 0, "GLOB", "Do not compare what these functions give: a glob over their names (repeatable)", V(replay),
     TAKEN_BY(option_take_exclude)},
    {"level", 0, "must|should|hardening",
     "Only clauses of this level and of stricter ones (default: hardening)", V(run) | V(list),
     TAKEN_BY(option_take_level)},
    {"scope", 0, "SCOPE[,SCOPE]|auto",
     "Judge a runtime by core, frontend or headers; auto (the default): by all that it shows signs of", V(run),
     TAKEN_BY(option_take_scope)},
    {"gate", 0, "must|should|hardening|FILE.json",
     "Count the failures of this level and of stricter ones (default: must), or those that a file selects", V(run),
     TAKEN_BY(option_take_gate)},
    {"strict", 0, NULL, "The same as --gate should", V(run), TAKEN_BY(option_take_strict)},
    {"min-judged", 0, "PERCENT",
     "Inconclusive if less of the applicable MUST clauses could be judged (default: 50; 0: never)", V(run),
     NUMBER(min_judged, 0, 100)},
    {"strict", 0, NULL, "Treat warnings as errors", V(inspect), FLAG(strict)},
    {"clauses", 0, NULL, "List the clauses of the spec instead of the cases", V(list),
     FLAG(clauses)},
    {"pins", 0, NULL, "List each case with the digests of the clauses it cites",
     V(list), FLAG(pins)},
    {"jobs", 'j', "N", "Run N cases in parallel (default: number of processors)",
     V(run) | V(self_test), NUMBER(jobs, 1, 64)},
    {"jobs", 'j', "N", "Run N inputs in parallel (default: number of processors)", V(fuzz),
     NUMBER(jobs, 1, 64)},
    {"timeout", 0, "TIME", "Time limit of a case (default: 2s)", V(run) | V(self_test),
     TAKEN_BY(option_take_timeout)},
    {"timeout", 0, "TIME", "Time limit of an input (default: 2s)", V(fuzz), TAKEN_BY(option_take_timeout)},
    {"hang-budget", 0, "TIME",
     "Time for all cases that hang or leave something running; the others are not run then; 0: no limit (default: 60s)", V(run),
     TAKEN_BY(option_take_hang_budget)},
    {"timeout-scale", 0, "N", "Multiply every time limit by N, for slow machines",
     V(fuzz) | V(run) | V(self_test), TAKEN_BY(option_take_timeout_scale)},
    {"isolation", 0, "fork|exec",
     "fork: run cases in forks of one process that loaded the library; exec: load it for each case",
     V(run), CHOICE(RunIsolation, isolation, RUN_ISOLATION_FORK)},
    {"sandbox", 0, "auto|on|off",
     "Confine what the library can do; auto (the default): as far as the kernel can; on: fully, or exit with 2",
     V(run) | V(repro) | V(fuzz) | V(signatures) | V(bench) | V(replay),
     CHOICE(SandboxMode, sandbox, SANDBOX_AUTO)},
    {"sandbox", 0, "auto|on|off",
     "Confine the program; auto (the default): as far as the kernel can; on: fully, or exit with 2", V(confine),
     CHOICE(SandboxMode, sandbox, SANDBOX_AUTO)},
    {"read", 0, "PATH",
     "Let it read a directory; or a library, with its directory and what it needs (repeatable)", V(confine),
     TAKEN_BY(option_take_read)},
    {"descriptor", 0, "N", "Let it have an open descriptor besides those of input and output", V(confine),
     NUMBER(descriptor, 3, 1023)},
    {"sandbox", 0, "auto|on|off",
     "Confine what reads the files; auto (the default): as far as the kernel can; on: fully, or exit with 2", V(inspect) | V(diff),
     CHOICE(SandboxMode, sandbox, SANDBOX_AUTO)},
    {"waivers", 0, "FILE|official",
     "Known deviations and their reasons (JSON); official: those of the official release that the library is", V(run),
     TEXT(waivers)},
    {"waivers", 0, "FILE", "Known findings and their reasons (JSON): they are shown, and do not fail", V(trace), TEXT(waivers)},
    {"write-waivers", 0, "FILE", "Write waivers for the failures of this run", V(run),
     TEXT(write_waivers)},
    {"report", 0, "KIND:PATH", "Write a report: json, junit or tap (repeatable; - is stdout)",
     V(run), TAKEN_BY(option_take_report)},
    {"report", 0, "KIND:PATH", "Write a report: json or sarif (repeatable; - is stdout)", V(inspect),
     TAKEN_BY(option_take_report)},
    {"report", 0, "KIND:PATH", "Write a report: json (- is stdout)", V(bench) | V(diff) | V(replay),
     TAKEN_BY(option_take_report)},
    {"report", 0, "KIND:PATH", "Write a report: text, json, junit or sarif, or of the calls: functions, folded or chrome (repeatable; - is stdout)", V(trace),
     TAKEN_BY(option_take_report)},
    {"preset", 0, "fast|standard|deep",
     "fast: values, calls and errors; standard (the default): all but what slows a program down; deep: also quarantine "
     "for dead objects, and unmapped memory",
     V(trace), CHOICE(CheckPreset, preset, PRESET_FAST)},
    {"check", 0, "GLOB", "Only these checks, whatever the preset: a glob over checks, groups or clauses (repeatable)",
     V(trace), TAKEN_BY(option_take_filter)},
    {"mute", 0, "GLOB", "Not these checks: a glob over checks, groups or clauses (repeatable)", V(trace),
     TAKEN_BY(option_take_exclude)},
    {"on-error", 0, "report|stop|abort",
     "At an error: go on (the default), end the program with the exit code 1, or abort it for a debugger", V(trace),
     CHOICE(RingOnError, on_error, RING_REPORT)},
    {"mechanism", 0, "auto|audit|preload",
     "How calls are caught: by the loader's LD_AUDIT, by LD_PRELOAD, which sees less, or by the first of them that works "
     "(the default)",
     V(trace), CHOICE(TraceMechanism, mechanism, MECHANISM_AUTO)},
    {"limit", 0, "N", "Show N findings of a check in the text (default: 10; 0: all)", V(trace),
     NUMBER(limit, 0, 100000)},
    {"lines", 0, NULL, "Tell the lines of sources, by addr2line, where there is debug information", V(trace), FLAG(lines)},
    {"record", 0, "FILE", "Write a recording of what the program did, for `replay`", V(trace), TEXT(record)},
    {"limit", 0, "N", "Show N differences (default: 10; 0: as many as 200)", V(replay), NUMBER(limit, 0, 100000)},
    {"policy", 0, "FILE", "What the files may need and must export (JSON)", V(inspect),
     TEXT(policy)},
    {"baseline", 0, "OLD.json",
     "Earlier JSON report: no floor may rise, no export vanish, no finding appear", V(inspect),
     TEXT(baseline)},
    {"write-policy", 0, "FILE", "Write a policy that the files satisfy", V(inspect),
     TEXT(write_policy)},
    {"shard", 0, "I/N", "Run the I-th of N equal parts", V(run), TAKEN_BY(option_take_shard)},
    {"shuffle", 0, "SEED", "Run in a random order, from this seed", V(run), LONG_NUMBER(selection.shuffle, 1)},
    {"repeat", 0, "N", "Run every case N times", V(run), NUMBER(selection.repeat, 1, 10000)},
    {"in-full", 0, "N",
     "Of a module with more functions try N in full, and of the others only what MUST clauses say of calls that are "
     "promised or ruled out (default: 32; 0: all)",
     V(run), NUMBER(selection.in_full, 0, 1000000)},
    {"fail-fast", 0, NULL, "Stop at the first failure that affects the exit code", V(run), FLAG(fail_fast)},
    {"valgrind", 0, NULL, "Run the library under Valgrind; its errors fail the case", V(run),
     FLAG(valgrind)},
    {"against", 0, "B.so", "Library to compare with", V(bench), TEXT(against)},
    {"rounds", 0, "N", "Measure each operation N times, for 2 ms each (default: 21)", V(bench),
     NUMBER(rounds, 1, BENCH_ROUNDS_MAX)},
    {"callgrind", 0, NULL,
     "Count instructions with Valgrind's Callgrind instead, for busy machines", V(bench),
     FLAG(callgrind)},
    {"force", 0, NULL, "Replace files that have other content", V(vectors), FLAG(force)},
    {"surface", 0, "NAME", "Part of the C API to fuzz", V(fuzz), TEXT(surface)},
    {"seed", 0, "N",
     "Seed of all inputs (default: 0); the same --runs and -j run the same inputs",
     V(fuzz), LONG_NUMBER(seed, 0)},
    {"time", 0, "TIME", "Stop after this time, such as 90s, 5m or 2h", V(fuzz), TAKEN_BY(option_take_time)},
    {"runs", 0, "N", "Stop after this many inputs", V(fuzz), LONG_NUMBER(runs, 1)},
    {"replay", 0, "DIR", "Reproduce the findings in this directory instead", V(fuzz),
     TEXT(replay)},
    {"program", 0, NULL,
     "Print the C program of a finding: IMPL.so is its directory; nothing is run",
     V(fuzz), FLAG(program)},
    {"output", 'o', "DIR", "Directory for findings (default: findings)", V(fuzz),
     TEXT(output)},
    {"rate", 0, NULL, "Only measure how many valid inputs run per second", V(fuzz), FLAG(rate)},
    {"color", 0, "auto|always|never",
     "Use colours in the text; NO_COLOR in the environment turns them off",
     V(fuzz) | V(run) | V(self_test) | V(bench) | V(inspect) | V(diff), CHOICE(ColorChoice, color, COLOR_AUTO)},
    {"only-failed", 0, NULL, "Print the summary, the failures that count and the verdict, but no warnings", V(run),
     FLAG(only_failed)},
    {"quiet", 'q', NULL, "Print only failures that count and the verdict", V(run), TAKEN_BY(option_take_quiet)},
    {"quiet", 'q', NULL, "Print only the summary", V(diff), TAKEN_BY(option_take_quiet)},
    {"quiet", 'q', NULL, "Print only errors and warnings, one line each, and the summary", V(inspect),
     TAKEN_BY(option_take_quiet)},
    {"quiet", 'q', NULL, "Print only findings and the summary", V(fuzz), TAKEN_BY(option_take_quiet)},
    {"quiet", 'q', NULL, "Do not say what is in force", V(confine), TAKEN_BY(option_take_quiet)},
    {"verbose", 'v', NULL, "Print every case: failed, warned and waived ones in full, and why others were skipped", V(run),
     TAKEN_BY(option_take_verbose)},
    {"verbose", 'v', NULL, "Print all functions, modules and symbols", V(inspect),
     TAKEN_BY(option_take_verbose)},
    {"verbose", 'v', NULL, "Print all cases that are new or gone", V(diff), TAKEN_BY(option_take_verbose)},
    {"verbose", 'v', NULL, "Also print results that did not recur", V(fuzz), TAKEN_BY(option_take_verbose)},
    {"verbose", 'v', NULL, "Also print which case killed each mutant", V(self_test), TAKEN_BY(option_take_verbose)},
};
// clang-format on
_Static_assert(sizeof table / sizeof table[0] <= OPTION_ROWS_MAX,
               "the parser has room for all rows");
const OptionTable option_table = {table, sizeof table / sizeof table[0]};

// SPDX-License-Identifier: Apache-2.0
// The course of a run: its order, its parts, its early end, and what surrounds it.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test_cli.h"

#define CRASHING HOSTILE_FOLDER "/call_crash.so"
#define LOOPING HOSTILE_FOLDER "/call_loop.so"
#define VICTIM "string.short-text-is-small.length-3"
#define BYSTANDERS "any.own-plain-value-keeps-all-bytes.*"

static char report_option[600];

// Runs it with a JSON report, which it returns (own).
static json_t *judge(const ToolSetup *setup, int exit_code, const char *const *more, ToolRun *run)
{
  const char *words[TOOL_WORDS_MAX] = {TOOL_PROGRAM, "run"};
  const char *path = tool_path("course.json");
  size_t count = 2;
  snprintf(report_option, sizeof report_option, "--report=json:%s", path);
  for (; *more; ++more) words[count++] = *more;
  words[count] = report_option;
  ToolRun own;
  *(run ? run : &own) = cli_run(setup, exit_code, words);
  if (!run) tool_free(&own);
  return tool_json(path);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static bool is_complete(const json_t *report)
{
  return json_is_true(json_object_get(report, "complete"));
}

TEST_GROUP(course, .timeout = 120);

TEST(fail_fast_stops_at_the_first_failure_that_counts)
{
  ToolRun run;
  json_t *report = judge(NULL, 1, WORDS(CRASHING, "--fail-fast", "-j1", "--filter=string.*"), &run);
  ck_assert(!is_complete(report));
  ck_assert_uint_eq(tool_count(report, "", "fail"), 1);
  ck_assert_uint_gt(tool_count(report, "", "inconclusive"), 20);
  json_decref(report);
  tool_free(&run);
  // A SHOULD does not count, unless it is to.
  const char *library = HOSTILE_FOLDER "/call_huge.so", *level = "--filter=string.*";
  report = judge(NULL, 0, WORDS(library, "--fail-fast", "-j1", level), NULL);
  ck_assert(is_complete(report));
  ck_assert_uint_gt(tool_count(report, "string.length-beyond-memory-is-an-error.", "fail"), 0);
  json_decref(report);
  report = judge(NULL, 1, WORDS(library, "--fail-fast", "-j1", "--gate=hardening", level), NULL);
  ck_assert(!is_complete(report));
  json_decref(report);
}

TEST(strictness_and_level)
{
  const char *library = HOSTILE_FOLDER "/call_huge.so", *filter = "--filter=string.*";
  ToolRun run;
  json_decref(judge(NULL, 0, WORDS(library, filter), &run));
  cli_expect_text(run.out, "*3 warned, 1 clause *HARDENING *STR-17 *CONFORMS*");
  tool_free(&run);
  json_decref(judge(NULL, 1, WORDS(library, filter, "--gate=hardening"), &run));
  cli_expect_text(run.out, "*CRASH *length-beyond-memory*NOT CONFORMANT*");
  tool_free(&run);
  json_t *report = judge(NULL, 0, WORDS(library, filter, "--gate=hardening", "--level=must"), NULL);
  ck_assert_uint_eq(tool_count(report, "", "fail"), 0);
  json_decref(report);
}

// Verdicts by case, as one text in which the order does not count.
static char *verdicts(const json_t *report)
{
  json_t *map = json_object(), *entry;
  size_t index;
  json_array_foreach(json_object_get(report, "cases"), index, entry) json_object_set(
      map, json_string_value(json_object_get(entry, "id")), json_object_get(entry, "verdict"));
  char *text = json_dumps(map, JSON_SORT_KEYS);
  json_decref(map);
  return text;
}

TEST(order_and_company_do_not_change_verdicts)
{
  static const char *const ways[] = {"-j1", "-j8", "--shuffle=1", "--shuffle=2",
                                     "--isolation=exec"};
  char *first = NULL;
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
    json_t *report =
        judge(NULL, 1, WORDS(CRASHING, "--filter=string.*", "--timeout=10s", ways[i]), NULL);
    char *seen = verdicts(report);
    if (first) ck_assert_str_eq(seen, first);
    if (first)
      free(seen);
    else
      first = seen;
    json_decref(report);
  }
  free(first);
}

static const char *id_at(const json_t *report, size_t index)
{
  return json_string_value(
      json_object_get(json_array_get(json_object_get(report, "cases"), index), "id"));
}

TEST(a_shuffle_changes_the_order)
{
  json_t *plain = judge(NULL, 0, WORDS(REFERENCE, "--filter=" BYSTANDERS), NULL);
  json_t *mixed = judge(NULL, 0, WORDS(REFERENCE, "--filter=" BYSTANDERS, "--shuffle=5"), NULL);
  json_t *again = judge(NULL, 0, WORDS(REFERENCE, "--filter=" BYSTANDERS, "--shuffle=5"), NULL);
  size_t count = tool_count(plain, "", NULL), moved = 0;
  ck_assert_uint_eq(tool_count(mixed, "", NULL), count);
  for (size_t i = 0; i < count; ++i) {
    moved += strcmp(id_at(plain, i), id_at(mixed, i)) != 0;
    ck_assert_str_eq(id_at(mixed, i), id_at(again, i));
  }
  ck_assert_uint_gt(moved, 0);
  json_decref(plain);
  json_decref(mixed);
  json_decref(again);
}

TEST(shards_and_repetitions)
{
  size_t sum = 0;
  for (int shard = 1; shard <= 3; ++shard) {
    char option[32];
    snprintf(option, sizeof option, "--shard=%d/3", shard);
    json_t *report = judge(NULL, 0, WORDS(REFERENCE, "--filter=" BYSTANDERS, option), NULL);
    sum += tool_count(report, "", "pass");
    json_decref(report);
  }
  json_t *whole = judge(NULL, 0, WORDS(REFERENCE, "--filter=" BYSTANDERS), NULL);
  json_t *thrice = judge(NULL, 0, WORDS(REFERENCE, "--filter=" BYSTANDERS, "--repeat=3"), NULL);
  ck_assert_uint_eq(sum, tool_count(whole, "", "pass"));
  ck_assert_uint_eq(3 * sum, tool_count(thrice, "", "pass"));
  json_decref(whole);
  json_decref(thrice);
}

// --- Interrupts ----------------------------------------------------------------------------------

static void interrupt_while_running(int number)
{
  ToolSetup setup = {.interrupt_after = 0.7, .interrupt_by = number};
  ToolRun run;
  json_t *report = judge(&setup, 130,
                         WORDS(LOOPING, "-j1", "--timeout=20s", "--filter=" VICTIM,
                               "--filter=" BYSTANDERS, "--filter=string.short-bytes*"),
                         &run);
  ck_assert(run.seconds < 5);
  ck_assert(!is_complete(report));
  ck_assert_uint_eq(tool_count(report, "any.", "pass"), 26);
  ck_assert_uint_eq(tool_count(report, "string.", "inconclusive"), 9);
  cli_expect_text(run.out, "*26 passed*9 not run*INCONCLUSIVE *the run was interrupted\n");
  ck_assert(cli_is_plain(run.out));
  json_decref(report);
  tool_free(&run);
}

TEST(an_interrupted_run_reports_what_is_known)
{
  interrupt_while_running(SIGINT);
}

TEST(a_terminated_run_reports_what_is_known)
{
  interrupt_while_running(SIGTERM);
}

TEST(loading_can_be_interrupted)
{
  ToolSetup setup = {.interrupt_after = 0.4};
  ToolRun run = cli_run(&setup, 130, TOOL("run", HOSTILE_FOLDER "/load_loop.so"));
  cli_expect_text(run.err, "tvmffi-conform: interrupted: loading *load_loop.so\n");
  ck_assert(run.seconds < 3);
  tool_free(&run);
}

// --- Surroundings --------------------------------------------------------------------------------

TEST(paths_may_look_odd)
{
  char script[2048];
  const char *folder = tool_path("odd 'folder'"), *again = "it's a lib.so";
  snprintf(
      script, sizeof script,
      "rm -rf \"%s\" && mkdir \"%s\" && cd \"%s\" && cp %s \"%s\" && %s \"%s\" --filter=" VICTIM,
      folder, folder, folder, CRASHING, again, TOOL_PROGRAM, again);
  ToolRun run = cli_run(NULL, 1, (const char *const[]){"/bin/sh", "-c", script, NULL});
  cli_expect_text(run.out, "it's a lib.so *reproduce *repro " VICTIM " 'it'\\\\''s a lib.so'\n*");
  tool_free(&run);
  snprintf(script, sizeof script, "rm -r \"%s\"", folder);
  run = cli_run(NULL, 0, (const char *const[]){"/bin/sh", "-c", script, NULL});
  tool_free(&run);
}

// A shell may have started something before it becomes this program, whose child that then is.
TEST(processes_of_others_are_left_alone)
{
  char script[2048];
  snprintf(script, sizeof script, "sleep 60 & exec %s %s/call_fork_stay.so --filter=" VICTIM,
           TOOL_PROGRAM, HOSTILE_FOLDER);
  ToolRun run = tool_run(NULL, WORDS("/bin/sh", "-c", script));
  ck_assert_int_eq(run.exit_code, 0);
  ck_assert_uint_eq(run.left_behind, 1);
  tool_free(&run);
}

// Of the program itself: a tree of 100,000 modules takes as much as the library makes of it.
TEST(memory_is_little)
{
#ifndef SANITIZED
  ToolRun run;
  json_decref(
      judge(NULL, 1,
            WORDS(CRASHING, "-j8", "--exclude=library-bin.stack-*", "--exclude=library-bin.work-*",
                  "--exclude=library-bin.value-may-be-large*"),
            &run));
  ck_assert_msg(run.peak_kib < 64 * 1024, "%ld KiB", run.peak_kib);
  tool_free(&run);
#endif
}

TEST(valgrind_finds_what_nobody_notices)
{
#ifdef SANITIZED
  return;  // one at a time
#endif
  if (access("/usr/bin/valgrind", X_OK) != 0) return;
  // Some releases of it can't read what some compilers write. By hand, the worker ends with 2.
  ToolRun trial = tool_run(NULL, WORDS("/usr/bin/valgrind", "-q", WORKER_PROGRAM));
  bool works = trial.exit_code == 2;
  tool_free(&trial);
  if (!works) return;
  const char *library = HOSTILE_FOLDER "/call_use_after_free.so";
  ToolSetup patient = {.limit = 120};
  json_decref(judge(NULL, 0, WORDS(library, "--filter=" VICTIM), NULL));
  ToolRun run;
  json_t *report = judge(&patient, 1,
                         WORDS(library, "--valgrind", "-j1", "--filter=" VICTIM,
                               "--filter=string.short-bytes-are-small.length-3"),
                         &run);
  ck_assert_str_eq(tool_case_text(report, VICTIM, "verdict"), "fail");
  ck_assert_uint_eq(tool_count(report, "string.short-bytes-are-small", "pass"), 1);
  cli_expect_text(run.out, "*Invalid read of size 1*");
  json_decref(report);
  tool_free(&run);
}

// Not the library's fault: the program by which the worker is to be run. Each verb that runs one.
TEST(what_runs_the_worker_may_be_missing)
{
  static const struct {
    const char *emulator, *said;
  } trials[] = {
      {"TVMFFI_CONFORM_EMULATOR=no-such-qemu -L folder",
       "*tvmffi-conform: *cannot start no-such-qemu (from "
       "TVMFFI_CONFORM_EMULATOR), *qemu-user*"},
      {"TVMFFI_CONFORM_EMULATOR=/dev/null",
       "*tvmffi-conform: *cannot start */dev/null*, to run the worker *: Permission denied*"},
      {"TVMFFI_CONFORM_EMULATOR=false",
       "*tvmffi-conform: *cannot run the worker *: false (from TVMFFI_CONFORM_EMULATOR) "
       "ended with exit(1) before the worker began*"},
  };
  const char *calls[][4] = {
      {"run", REFERENCE, NULL},
      {"bench", REFERENCE, "--rounds=1", NULL},
      {"fuzz", REFERENCE, "--runs=1", NULL},
      {"repro", "any.exports-the-conversion", REFERENCE, NULL},
  };
  for (size_t i = 0; i < sizeof trials / sizeof trials[0]; ++i) {
    // It becomes that program, which is not asked what it was started for.
    size_t verbs = sizeof calls / sizeof calls[0] - (i == 2);
    for (size_t j = 0; j < verbs; ++j) {
      const char *const *call = calls[j];
      ToolRun run = cli_run(NULL, 4,
                            WORDS("/usr/bin/env", trials[i].emulator, TOOL_PROGRAM, call[0],
                                  call[1], call[2], call[2] ? call[3] : NULL));
      ck_assert_str_eq(run.out, "");
      cli_expect_text(run.err, trials[i].said);
      ck_assert_ptr_null(strstr(run.err, "cannot load"));
      tool_free(&run);
    }
  }
}

// A worker that can't be run itself, here for want of a library; under qemu it looks the same where
// no emulator is named.
TEST(a_worker_that_does_not_begin_is_blamed)
{
  char script[4096];
  const char *folder = tool_path("folder");
  snprintf(script, sizeof script,
           "set -e; mkdir %s; worker=%s/worker\n"
           "ln -s $(dirname %s)/libraries %s; sed 's/libc[.]so[.]6/libX.so.6/' %s >$worker\n"
           "chmod +x $worker\nfor verb in 'run -q' 'bench --rounds=1'; do\n"
           "%s $verb %s --worker $worker || echo $?\ndone\nrm -r %s",
           folder, folder, WORKER_PROGRAM, folder, WORKER_PROGRAM, TOOL_PROGRAM, REFERENCE, folder);
  ToolRun run = tool_run(NULL, WORDS("/bin/sh", "-c", script));
  ck_assert_str_eq(run.out, "4\n4\n");
  cli_expect_text(run.err,
                  "*the worker *worker ended with exit(127) before it began (*EMULATOR*libX.so.6*"
                  "the worker *worker ended with exit(127) before it began (*");
  ck_assert_ptr_null(strstr(run.err, "constructor"));
  tool_free(&run);
}

// Told by the sanitizer that it is built with; without one there is nothing to see.
TEST(nothing_is_leaked)
{
  ToolSetup setup = {.environment = {"ASAN_OPTIONS=detect_leaks=1"}};
  const char *filter = "--filter=version.*";
  ToolRun run = cli_run(&setup, 0, TOOL("list"));
  tool_free(&run);
  run = cli_run(&setup, 0, TOOL("explain", "ANY-4"));
  tool_free(&run);
  json_decref(judge(&setup, 0, WORDS(REFERENCE, filter, "--report=junit:/dev/null"), NULL));
  json_decref(
      judge(&setup, 1, WORDS(CRASHING, "--filter=" VICTIM, "--report=tap:/dev/null"), NULL));
  run = cli_run(&setup, 3, TOOL("run", HOSTILE_FOLDER "/load_crash.so"));
  tool_free(&run);
  run = cli_run(&setup, 2, TOOL("run", REFERENCE, "--filter=nothing"));
  tool_free(&run);
}

// --- What is committed beside the cases ----------------------------------------------------------

TEST(update_brings_in_what_is_new_and_loses_nothing)
{
  char script[4096];
  const char *folder = tool_path("cases");
  snprintf(script, sizeof script,
           "set -e; mkdir -p %s; cp %s/update %s; cd %s; rm -f *.lock; update='./update %s'\n"
           "$update; cp cases.lock first; $update; cmp cases.lock first\n"
           "sed -i 's/^any.own-raw/any.zzz-raw/' cases.lock; cp cases.lock changed\n"
           "if $update; then exit 1; fi; cmp cases.lock changed\n"
           "sed 's/^any.zzz-raw\\([^ ]*\\).*/any.zzz-raw\\1 -> any.own-raw\\1/' changed "
           ">cases.lock; $update\n"
           "grep -c ' -> ' cases.lock; sed -i 's/ANY-4=0*[1-9a-f]/ANY-4=0/' cases.lock; $update\n",
           folder, CASES_FOLDER, folder, folder, TOOL_PROGRAM);
  ToolRun run = cli_run(NULL, 0, (const char *const[]){"/bin/sh", "-c", script, NULL});
  cli_expect_text(run.err, "update: no case has these ids:\nany.zzz-raw*");
  cli_expect_text(run.out, "*update: a clause changed: any.own-plain-value-keeps-all-bytes*\n*");
  tool_free(&run);
}

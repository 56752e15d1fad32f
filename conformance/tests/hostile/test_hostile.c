// SPDX-License-Identifier: Apache-2.0
// The program against libraries that misbehave when they are loaded or called: it comes to an end,
// says what happened, judges what can be judged, and leaves nothing behind.
#include <fnmatch.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/tool/tool.h"
#include "unit/unit.h"

// Two cases that call TVMFFIStringFromByteArray, and those that do not: 8 that run after them and 6
// before.
#define VICTIM "string.short-text-is-small.length-3"
#define OTHER_VICTIM "string.short-text-is-small.length-7"
static const char bystanders_after[] = "string.short-bytes-are-small.";
static const char bystanders_before[] = "any.own-plain-value-keeps-all-bytes.int-";
enum { VICTIMS = 2, BYSTANDERS_AFTER = 8, BYSTANDERS_BEFORE = 6 };
#define CASES                                                                                 \
  "--filter", VICTIM, "--filter", OTHER_VICTIM, "--filter", "string.short-bytes-are-small.*", \
      "--filter", "any.own-plain-value-keeps-all-bytes.int-*"

static const char *library(const char *name)
{
  static char path[1024];
  snprintf(path, sizeof path, "%s/%s.so", HOSTILE_FOLDER, name);
  ck_assert_msg(access(path, R_OK) == 0, "%s was not built", path);
  return path;
}

static void expect_quiet_end(const ToolRun *run, const char *name)
{
  ck_assert_msg(!run->timed_out, "%s: it did not come to an end", name);
  ck_assert_msg(run->signal == 0, "%s: it was ended by signal %d\n%s", name, run->signal, run->err);
  ck_assert_msg(run->left_behind == 0, "%s: %zu processes live on", name, run->left_behind);
  for (size_t i = 0; i < run->out_size + run->err_size; ++i) {
    unsigned char c =
        (unsigned char)(i < run->out_size ? run->out[i] : run->err[i - run->out_size]);
    ck_assert_msg(c == '\n' || (c >= 32 && c != 127), "%s: byte 0x%02x in the text", name, c);
  }
}

// --- Loading -------------------------------------------------------------------------------------

typedef struct LoadRow {
  const char *name;
  const char *says;  // a glob over stderr; NULL: it can be loaded after all, and conforms
} LoadRow;

static const LoadRow load_rows[] = {
    {"load_crash", "*cannot load *: loading it crashed: *(SIGSEGV) in a constructor*"},
    {"load_abort",
     "*cannot load *: loading it crashed: *(SIGABRT)*output: \\\\x1b]0;mine\\\\x07The licence "
     "server can't be reached\n"},
    {"load_kill", "*cannot load *: loading it crashed: *(SIGKILL)*"},
    {"load_kill_group", "*cannot load *: loading it crashed: *(SIGTERM)*"},
    {"load_exit", "*cannot load *: loading it ended the process: *exit(0)*"},
    {"load_exit_at_once", "*cannot load *: loading it ended the process: *exit(7)*"},
    {"load_end_thread", "*cannot load *: loading it ended the process: *exit(0)*"},
    {"load_daemon", "*cannot load *: loading it ended the process: *exit(0)*"},
    {"load_loop", "*cannot load *: loading it did not end within 1 s*hang*"},
    {"load_flood", "*cannot load *: loading it did not end within 1 s*hang*"},
    // On a busy machine the time is over before there are so many.
    {"load_fork", "*cannot load *: loading it *"},
    {"load_thread", "*cannot load *: loading it was ended by the suite: more than 2048 *"},
    {"load_stop", "*cannot load *: loading it did not end within 1 s*hang*"},
    {"load_close_all", "*cannot load *: a constructor closed the descriptors of its process*"},
    {"load_undefined", "*cannot load *: dlopen failed: *is_nowhere_to_be_found*"},
    {"load_chatter", NULL},
    {"load_close_low", NULL},
    {"load_fork_stay", NULL},
    {"load_fork_on", NULL},
    {"load_fork_chain", NULL},
    {"load_signals", NULL},
    {"load_block_signals", NULL},
    {"load_timer", NULL},
    {"load_chdir", NULL},
    {"load_limits", NULL},
    {"load_exit_handlers", NULL},
    {"load_signal_stack", NULL},
    {"ask_version_hang", NULL},
    {"ask_backtrace_crash", NULL},
    {"ask_backtrace_hang", NULL},
};
enum { LOAD_ROWS = sizeof load_rows / sizeof load_rows[0] };

// Reports say of a library that can't be loaded why, in the words of stderr, and claim nothing else.
static void expect_not_loaded(const char *json_path, const char *junit_path, const char *tap_path,
                              const char *says)
{
  char message[256];
  json_t *report = tool_json(json_path);
  const char *why = json_string_value(
      json_array_get(json_object_get(json_object_get(report, "verdict"), "reasons"), 0));
  ck_assert_msg(why && strncmp(says, "tvmffi-conform: ", 16) == 0, "%s", says);
  ck_assert_msg(strncmp(says + 16, why, strcspn(why, "\n\\")) == 0, "%s, but says %s", why, says);
  ck_assert_int_eq(json_integer_value(json_object_get(report, "exit_code")), 3);
  ck_assert(json_is_false(json_object_get(report, "complete")));
  ck_assert(json_is_false(json_object_get(report, "conforms")));
  ck_assert_uint_eq(json_array_size(json_object_get(report, "cases")), 0);
  snprintf(message, sizeof message, "%.*s", (int)strcspn(why, "\n<>&\"'\\"), why);
  ToolRun diff = tool_run(NULL, TOOL("diff", json_path, json_path));
  ck_assert_int_eq(diff.exit_code, 2);
  ck_assert_msg(strstr(diff.err, "the library could not be loaded"), "the form: %s", diff.err);
  tool_free(&diff);
  char *text = tool_text(junit_path);
  ck_assert_ptr_nonnull(strstr(text, " name=\"verdict\" tests=\"1\" failures=\"0\" errors=\"1\""));
  ck_assert_ptr_nonnull(strstr(text, message));
  free(text);
  text = tool_text(tap_path);
  ck_assert_ptr_nonnull(strstr(text, "1..1\nnot ok 1 - NOT JUDGED "));
  ck_assert_ptr_nonnull(strstr(text, message));
  ck_assert_ptr_nonnull(strstr(text, "\nBail out! "));
  free(text);
  json_decref(report);
}

static void judge_after_loading(const LoadRow *row, const char *isolation)
{
  const char *report_path = tool_path("load.json"), *junit_path = tool_path("load.xml");
  const char *tap_path = tool_path("load.tap");
  char report_option[600], junit_option[600], tap_option[600];
  snprintf(report_option, sizeof report_option, "--report=json:%s", report_path);
  snprintf(junit_option, sizeof junit_option, "--report=junit:%s", junit_path);
  snprintf(tap_option, sizeof tap_option, "--report=tap:%s", tap_path);
  // The limit for loading is 10 s before it is scaled. On a busy machine it takes more than one to start 2,048
  // threads.
  const bool many = strcmp(row->name, "load_thread") == 0;
  ToolRun run = tool_run(
      NULL, TOOL("run", library(row->name), many ? "--timeout-scale=0.4" : "--timeout-scale=0.1",
                 "--timeout=20s", isolation, report_option, junit_option, tap_option, CASES));
  expect_quiet_end(&run, row->name);
  if (row->says) {
    ck_assert_msg(run.exit_code == 3, "%s: exit code %d", row->name, run.exit_code);
    ck_assert_msg(fnmatch(row->says, run.err, 0) == 0, "%s: says \"%s\"", row->name, run.err);
    ck_assert_msg(run.seconds < 5, "%s: took %.1f s", row->name, run.seconds);
    expect_not_loaded(report_path, junit_path, tap_path, run.err);
  } else {
    ck_assert_msg(run.exit_code == 0, "%s: exit code %d\n%s%s", row->name, run.exit_code, run.out,
                  run.err);
    json_t *report = tool_json(report_path);
    ck_assert(json_is_true(json_object_get(report, "complete")));
    ck_assert_uint_eq(tool_count(report, "", "pass"),
                      VICTIMS + BYSTANDERS_AFTER + BYSTANDERS_BEFORE);
    json_decref(report);
  }
  tool_free(&run);
}

TEST_GROUP(loading, .timeout = 60);

TEST(loading_it_is_survived, .rows = LOAD_ROWS)
{
  judge_after_loading(&load_rows[_i], "--isolation=fork");
}

// Here the constructor runs in the process of each case.
TEST(loading_it_for_each_case_is_survived, .rows = LOAD_ROWS)
{
  if (!load_rows[_i].says) judge_after_loading(&load_rows[_i], "--isolation=exec");
}

// --- Calling -------------------------------------------------------------------------------------

typedef struct CallRow {
  const char *name;
  const char *verdict;  // of the victims
  const char *kind;     // of the fail; "" if it is none
  const char *reason;   // a glob over the report's reason for it
  const char *prints;   // a glob over the text; NULL: whatever it is
} CallRow;

// A sanitizer that the program is built with ends the process in its own way.
#ifdef SANITIZED
#define MEMORY_KIND "*"
#define MEMORY_REASON "*"
#define HEAP_KIND "exit"
#define HEAP_REASON "called exit(*"
#define END_REASON "called exit(*"
#else
#define MEMORY_KIND "crash"
#define MEMORY_REASON "SIGSEGV inside TVMFFIStringFromByteArray+0x*"
#define HEAP_KIND "crash"
#define HEAP_REASON "SIG*"
#define END_REASON "called exit(0)*"
#endif

// 300 ms, or up to four times as long where others have the processors.
#define AFTER_ITS_TIME "timed out after @(300 ms|600 ms|900 ms|1.2 s)"

static const CallRow call_rows[] = {
    {"call_crash", "fail", "crash", "SIGSEGV at address 0x8 inside TVMFFIStringFromByteArray+0x*",
     "*CRASH " VICTIM "*SIGSEGV at address 0x8 inside TVMFFIStringFromByteArray*"},
    {"call_crash_deaf", "fail", "crash",
     "SIGSEGV at address 0x8 inside TVMFFIStringFromByteArray+0x*", NULL},
    {"call_overread", "fail", "crash",
     "SIGSEGV, byte 1 past the end of the bytes (3 bytes), inside TVMFFIStringFromByteArray+0x*",
     NULL},
    {"call_abort", "fail", "crash", "SIGABRT inside TVMFFIStringFromByteArray+0x*",
     "*output *|*\\\\x1b?31mpanic: 640 strings are enough*"},
    {"call_thread_crash", "fail", "crash", "SIGSEGV at address 0x0 inside crash+0x*", NULL},
    {"call_exit_crash", "fail", "crash", "SIGSEGV at address 0x0 inside crash+0x*", NULL},
    {"call_longjmp", "fail", "*", "*", NULL},
    {"call_heap", "fail", HEAP_KIND, HEAP_REASON, NULL},
    {"call_memory", "fail", MEMORY_KIND, MEMORY_REASON, NULL},
    {"call_stack", "fail", "crash", "SIGSEGV inside deeper+0x*", NULL},
    {"call_stack_no_signal_stack", "fail", "crash", "SIGSEGV*", NULL},
    {"call_kill", "fail", "crash", "SIGKILL", "*CRASH " VICTIM "*SIGKILL*"},
    {"call_kill_group", "fail", "crash", "SIGTERM", NULL},
    {"call_exit", "fail", "exit", "called exit(0) before the end of the case",
     "*EXIT  " VICTIM "*exit(0)*"},
    {"call_exit_at_once", "fail", "exit", "called exit(0)*", NULL},
    {"call_end_thread", "fail", "exit", END_REASON, NULL},
    {"call_exec", "fail", "exit", "called exit(0)*", NULL},
    {"call_daemon", "fail", "exit", "called exit(0)*", NULL},
    {"call_loop", "fail", "timeout", AFTER_ITS_TIME, "*HANG  " VICTIM "*after *s*"},
    {"call_loop_deaf", "fail", "timeout", AFTER_ITS_TIME, NULL},
    {"call_crash_for_ever", "fail", "timeout", AFTER_ITS_TIME, NULL},
    {"call_stop", "fail", "timeout", AFTER_ITS_TIME, NULL},
    {"call_flood", "inconclusive", "", "ended by the suite: it wrote more than 32 MiB",
     "*VOID  " VICTIM "*(the first 1200 of * bytes)*"},
    {"call_kill_parent", "inconclusive", "", "the case took its worker down with it",
     "*VOID  " VICTIM "*"},
    {"call_scribble", "inconclusive", "", "the evidence was overwritten", NULL},
    {"call_helper", "pass", "", "", NULL},
    {"call_close_all", "pass", "", "", NULL},
    {"call_fork_on", "pass", "", "", NULL},
    {"call_fork_stay", "pass", "", "", NULL},
};
enum { CALL_ROWS = sizeof call_rows / sizeof call_rows[0] };

static void expect_verdict(const CallRow *row, const json_t *report, const char *id)
{
  const char *verdict = tool_case_text(report, id, "verdict");
  const char *kind = tool_case_text(report, id, "fail_kind");
  const char *reason = tool_case_text(report, id, "reason");
  ck_assert_msg(strcmp(verdict, row->verdict) == 0 && fnmatch(row->kind, kind, 0) == 0,
                "%s: %s: %s %s: %s", row->name, id, verdict, kind, reason);
  if (strcmp(id, VICTIM) == 0)
    ck_assert_msg(fnmatch(row->reason, reason, FNM_EXTMATCH) == 0, "%s: the reason is \"%s\"",
                  row->name, reason);
}

static void expect_bystanders_pass(const char *name, const json_t *report)
{
  ck_assert_msg(tool_count(report, bystanders_after, "pass") == BYSTANDERS_AFTER,
                "%s: of the cases behind, %zu passed", name,
                tool_count(report, bystanders_after, "pass"));
  ck_assert_msg(tool_count(report, bystanders_before, "pass") == BYSTANDERS_BEFORE,
                "%s: of the cases before, %zu passed", name,
                tool_count(report, bystanders_before, "pass"));
}

static void judge_calling(const CallRow *row, const char *isolation)
{
  const char *report_path = tool_path("call.json");
  char report_option[600];
  snprintf(report_option, sizeof report_option, "--report=json:%s", report_path);
  const bool hangs = strcmp(row->kind, "timeout") == 0;
  ToolRun run =
      tool_run(NULL, TOOL("run", library(row->name), hangs ? "--timeout=300ms" : "--timeout=600ms",
                          "-j2", isolation, report_option, CASES));
  expect_quiet_end(&run, row->name);
  bool passes = strcmp(row->verdict, "pass") == 0;
  ck_assert_msg(run.exit_code == (passes ? 0 : 1), "%s: exit code %d\n%s%s", row->name,
                run.exit_code, run.out, run.err);
  ck_assert_msg(run.seconds < 6, "%s: took %.1f s", row->name, run.seconds);
  json_t *report = tool_json(report_path);
  ck_assert(json_is_true(json_object_get(report, "complete")));
  ck_assert_uint_eq(tool_count(report, "", NULL), VICTIMS + BYSTANDERS_AFTER + BYSTANDERS_BEFORE);
  expect_verdict(row, report, VICTIM);
  expect_verdict(row, report, OTHER_VICTIM);
  expect_bystanders_pass(row->name, report);
  if (row->prints)
    ck_assert_msg(fnmatch(row->prints, run.out, 0) == 0, "%s: prints\n%s", row->name, run.out);
  json_decref(report);
  tool_free(&run);
}

TEST(calling_it_is_survived, .rows = CALL_ROWS)
{
  judge_calling(&call_rows[_i], "--isolation=fork");
}

// One that hangs is enough: each costs the time limit.
TEST(calling_it_in_a_process_of_its_own_is_survived, .rows = CALL_ROWS)
{
  bool hangs = strcmp(call_rows[_i].kind, "timeout") == 0;
  if (hangs && strcmp(call_rows[_i].name, "call_loop") != 0) return;
  judge_calling(&call_rows[_i], "--isolation=exec");
}

// --- A budget for hangs --------------------------------------------------------------------------

// Each call hangs: the time for that is used up, the cases that are left are listed with the reason, and the library
// does not conform.
TEST(a_library_whose_every_call_hangs_is_judged_in_time)
{
  const char *report_path = tool_path("hangs.json");
  char report_option[600];
  snprintf(report_option, sizeof report_option, "--report=json:%s", report_path);
  ToolRun run = tool_run(NULL, TOOL("run", library("every_hang"), "--timeout=200ms",
                                    "--hang-budget=4s", "-j2", report_option));
  expect_quiet_end(&run, "every_hang");
  ck_assert_int_eq(run.exit_code, 1);
  ck_assert_msg(run.seconds < 10, "it took %.1f s", run.seconds);
  ck_assert_ptr_nonnull(
      strstr(run.out, " not run (the time for cases that had to be ended is used up)\n"));
  ck_assert_ptr_nonnull(strstr(run.out, "NOT CONFORMANT"));
  json_t *report = tool_json(report_path), *totals = json_object_get(report, "totals"), *entry;
  size_t index, left_out = 0, shorter = 0;
  json_array_foreach(json_object_get(report, "cases"), index, entry)
  {
    const char *reason = json_string_value(json_object_get(entry, "reason"));
    left_out += strcmp(reason, "the time for cases that had to be ended is used up") == 0;
    shorter += fnmatch("timed out after *, less than usual*", reason, 0) == 0;
  }
  ck_assert_int_eq(json_integer_value(json_object_get(totals, "not_run")), (long)left_out);
  ck_assert_uint_gt(left_out, 1000);
  ck_assert_int_ge(json_integer_value(json_object_get(totals, "timed_out")), 20);
  ck_assert_uint_ge(shorter, 10);
  ck_assert(json_is_false(json_object_get(report, "complete")));
  ck_assert(json_is_false(json_object_get(report, "conforms")));
  json_decref(report);
  tool_free(&run);
}

// --- More than a case may take -------------------------------------------------------------------

typedef struct EveryRow {
  const char *name;
  const char *
      reason;  // of a part of the cases; NULL: what is started is ended with each case, that is all
} EveryRow;

static const EveryRow every_rows[] = {
    {"every_flood", "ended by the suite: it wrote more than 32 MiB"},
    {"every_thread",
     "ended by the suite: more than 2048 processes and threads of it were there at once"},
    {"every_fork", NULL},
    {"every_fork_on", NULL},
    {"every_fork_chain", NULL},
};
enum { EVERY_ROWS = sizeof every_rows / sizeof every_rows[0] };

// Each call floods the output, or starts processes or threads: the run ends in time, with each case in the report, and
// nothing is left. The time that this takes is bounded, and what is not run because of that is against the library.
TEST(a_library_that_takes_the_machine_is_judged_in_time, .rows = EVERY_ROWS)
{
  const EveryRow *row = &every_rows[_i];
  const char *report_path = tool_path("every.json");
  char report_option[600];
  snprintf(report_option, sizeof report_option, "--report=json:%s", report_path);
  ToolRun run = tool_run(NULL, TOOL("run", library(row->name), "--timeout=1s", "--hang-budget=2s",
                                    "-j1", "--abi=0.1", report_option));
  expect_quiet_end(&run, row->name);
  ck_assert_msg(run.exit_code == 1, "%s: exit code %d\n%s", row->name, run.exit_code, run.err);
  ck_assert_msg(run.seconds < 25, "%s: it took %.1f s", row->name, run.seconds);
  ck_assert_ptr_nonnull(strstr(run.out, "NOT CONFORMANT"));
  json_t *report = tool_json(report_path), *entry;
  size_t index, ended = 0, left_out = 0;
  json_array_foreach(json_object_get(report, "cases"), index, entry)
  {
    const char *reason = json_string_value(json_object_get(entry, "reason"));
    const char *verdict = json_string_value(json_object_get(entry, "verdict"));
    bool is_ended = row->reason && strcmp(reason, row->reason) == 0;
    bool is_left_out = strcmp(reason, "the time for cases that had to be ended is used up") == 0;
    if (is_ended || is_left_out) ck_assert_str_eq(verdict, "inconclusive");
    ended += is_ended;
    left_out += is_left_out;
  }
  ck_assert_uint_gt(left_out, 1000);
  if (row->reason) ck_assert_uint_ge(ended, 1);
  if (!row->reason) ck_assert_uint_gt(tool_count(report, "", "pass"), 10);
  ck_assert(json_is_false(json_object_get(report, "complete")));
  ck_assert(json_is_false(json_object_get(report, "conforms")));
  json_decref(report);
  tool_free(&run);
}

// What a case started is gone, too, when the user ends the run, and when nobody reads its text any more.
TEST(nothing_is_left_of_a_run_that_is_ended)
{
  ToolSetup setup = {.interrupt_after = 1, .interrupt_by = SIGTERM};
  ToolRun run = tool_run(&setup, TOOL("run", library("every_fork")));
  expect_quiet_end(&run, "every_fork");
  ck_assert_int_eq(run.exit_code, 130);
  tool_free(&run);
  char script[2048];
  const char *report_path = tool_path("pipe.json");
  snprintf(script, sizeof script,
           "(%s run %s --report=json:%s --filter='string.*' -v; echo $? >&2) | :", TOOL_PROGRAM,
           library("load_fork_stay"), report_path);
  run = tool_run(NULL, (const char *const[]){"/bin/sh", "-c", script, NULL});
  expect_quiet_end(&run, "load_fork_stay");
  ck_assert_str_eq(run.err, "141\n");
  json_decref(tool_json(report_path));
  tool_free(&run);
}

// --- The whole battery ---------------------------------------------------------------------------

static void judge_all(const char *name, const char *isolation)
{
  const char *report_path = tool_path("all.json");
  char report_option[600];
  snprintf(report_option, sizeof report_option, "--report=json:%s", report_path);
  ToolRun run = tool_run(NULL, TOOL("run", library(name), "--timeout=600ms", "--exclude", "once.*",
                                    isolation, report_option));
  expect_quiet_end(&run, name);
  ck_assert_int_eq(run.exit_code, 1);
  json_t *report = tool_json(report_path);
  ck_assert(json_is_true(json_object_get(report, "complete")));
  size_t failed = tool_count(report, "", "fail"), passed = tool_count(report, "", "pass");
  size_t all = tool_count(report, "", NULL), skipped = tool_count(report, "", "skip");
  ck_assert_uint_eq(failed + passed + skipped, all);
  ck_assert_uint_ge(failed, 20);
  ck_assert_uint_ge(passed, 200);
  json_decref(report);
  tool_free(&run);
}

TEST_GROUP(whole, .timeout = 120);

TEST(each_crash_costs_one_case)
{
  judge_all("call_crash", "--isolation=fork");
}

TEST(each_crash_costs_one_case_in_a_process_of_its_own)
{
  judge_all("call_crash", "--isolation=exec");
}

// A library whose functions need the threads that it starts when loaded is judged with them. In
// forks of a process that has loaded it they are missing.
TEST(threads_of_a_library_live_in_each_case)
{
  const char *report_path = tool_path("threads.json");
  char report_option[600];
  snprintf(report_option, sizeof report_option, "--report=json:%s", report_path);
  ToolRun run = tool_run(NULL, TOOL("run", library("call_thread"), report_option, CASES));
  expect_quiet_end(&run, "call_thread");
  ck_assert_int_eq(run.exit_code, 0);
  json_t *report = tool_json(report_path);
  ck_assert_str_eq(json_string_value(json_object_get(report, "isolation")), "exec");
  json_decref(report);
  tool_free(&run);
  run = tool_run(NULL,
                 TOOL("run", library("call_thread"), "--isolation=fork", "--timeout=600ms", CASES));
  expect_quiet_end(&run, "call_thread");
  ck_assert_int_eq(run.exit_code, 1);
  ck_assert_ptr_nonnull(strstr(run.out, "14 passed, 2 timed out"));
  tool_free(&run);
}

// Then no process can be had for a case. Where each case loads the library, the one that forks has
// not.
TEST(a_library_that_hangs_when_its_process_forks)
{
  ToolRun run = tool_run(NULL, TOOL("run", library("load_atfork_hang"), "--isolation=fork",
                                    "--timeout=300ms", "--filter=" VICTIM));
  expect_quiet_end(&run, "load_atfork_hang");
  ck_assert_int_eq(run.exit_code, 1);
  ck_assert_ptr_nonnull(strstr(run.out, "HANG  " VICTIM));
  ck_assert(run.seconds < 6);
  tool_free(&run);
  run = tool_run(
      NULL, TOOL("run", library("load_atfork_hang"), "--isolation=exec", "--timeout=300ms", CASES));
  expect_quiet_end(&run, "load_atfork_hang");
  ck_assert_int_eq(run.exit_code, 0);
  tool_free(&run);
}

// Some programs start others with SIGCHLD ignored, and then no child can be waited for.
TEST(ignored_children_are_waited_for)
{
  ToolSetup setup = {.children_ignored = true};
  ToolRun run = tool_run(&setup, TOOL("run", library("call_crash"), CASES));
  expect_quiet_end(&run, "call_crash");
  ck_assert_int_eq(run.exit_code, 1);
  ck_assert_ptr_nonnull(strstr(run.out, "14 passed, 2 crashed"));
  tool_free(&run);
  run = tool_run(&setup, TOOL("run", library("load_exit_at_once")));
  ck_assert_int_eq(run.exit_code, 3);
  ck_assert_ptr_nonnull(strstr(run.err, "exit(7)"));
  tool_free(&run);
}

// What a library prints reaches the terminal of every verb as text that steers nothing.
TEST(what_a_library_prints_is_made_fit_for_a_terminal, .rows = 3)
{
  const char *printing = library("load_chatter");
  ToolRun run = _i == 0   ? tool_run(NULL, TOOL("bench", "--rounds=1", printing))
                : _i == 1 ? tool_run(NULL, TOOL("repro", VICTIM, printing))
                          : tool_run(NULL, TOOL("run", printing, CASES));
  ck_assert_int_eq(run.exit_code, 0);
  ck_assert_ptr_null(strchr(run.out, '\033'));
  ck_assert_ptr_null(strchr(run.err, '\033'));
  const char *printed = _i == 0 ? run.err : run.out;
  if (_i < 2) ck_assert_ptr_nonnull(strstr(printed, "\\x1b\\x1b"));
  tool_free(&run);
}

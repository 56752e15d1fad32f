// SPDX-License-Identifier: Apache-2.0
// `tvmffi-conform fuzz` as a user meets it: the reference shows nothing, a runtime with a flaw
// shows that, and what is written shows it again.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "finding_folder.h"
#include "finding_program.h"
#include "tests/tool/tool.h"
#include "unit/unit.h"

static ToolRun run(const ToolSetup *setup, int exit_code, const char *const *words)
{
  ToolRun run = tool_run(setup, words);
  ck_assert_msg(run.exit_code == exit_code, "exit code %d, signal %d, not %d:\n%s%s", run.exit_code,
                run.signal, exit_code, run.out, run.err);
  ck_assert_uint_eq(run.left_behind, 0);
  return run;
}

static const ToolSetup patient = {.limit = 120};

TEST_GROUP(fuzz_verb, .timeout = 300);

TEST(the_reference_shows_nothing)
{
  finding_folder_make();
  ToolRun seen =
      run(&patient, 0, TOOL("fuzz", "--runs=60000", "-j2", "-o", finding_folder, REFERENCE));
  ck_assert_ptr_nonnull(strstr(seen.out, ": 0 findings\n"));
  ck_assert_ptr_null(strstr(seen.out, "did not come again"));
  tool_free(&seen);
  finding_folder_remove();
}

enum { SMALL = 250 };

// --- Flaws ---------------------------------------------------------------------------------------

static const struct {
  const char *library, *finding;  // the folder that it is found as
  bool is_hidden;  // the program does not look at it: what a tree is put together to, for one
} flaws[] = {
    {MUTANT_FOLDER "/bin_21_one_byte_more.so", "crash-", false},
    {FLAW_FOLDER "/bin_30_hang.so", "hang-cycle", false},
    {FLAW_FOLDER "/bin_24_memory.so", "memory-count-too-large", false},
    {FLAW_FOLDER "/bin_33_heap.so", "memory-trailing", false},
    {FLAW_FOLDER "/bin_29_eater.so", "memory-child-range", false},
    {FLAW_FOLDER "/bin_32_leak.so", "leak-memory-left", false},
    {FLAW_FOLDER "/bin_26_mapping.so", "leak-memory-left", false},
    {FLAW_FOLDER "/bin_20_context.so", "leak-context", false},
    {FLAW_FOLDER "/mod_73_kept.so", "leak-kept-open", false},
    {MUTANT_FOLDER "/mod_80_left_open.so", "leak-left-open", false},
    {MUTANT_FOLDER "/mod_80_left_open.so", "leak-broken-left-open", false},
    {MUTANT_FOLDER "/mod_80_modules_kept.so", "leak-", true},
    {FLAW_FOLDER "/bin_34_in_part.so", "accepted-in-part", false},
    {FLAW_FOLDER "/bin_33_accepted.so", "accepted-trailing", false},
    {FLAW_FOLDER "/bin_25_error.so", "error-", false},
    {MUTANT_FOLDER "/bin_6_empty_value_refused.so", "refused-empty-value", false},
    {MUTANT_FOLDER "/bin_3_library_has_to_be_first.so", "refused-", false},
    {MUTANT_FOLDER "/bin_1_library_is_root.so", "different-root", false},
    {MUTANT_FOLDER "/bin_4_called_twice.so", "different-calls", false},
    {MUTANT_FOLDER "/bin_5_value_up_to_a_nul.so", "different-values", false},
    {MUTANT_FOLDER "/bin_7_kind_up_to_a_nul.so", "accepted-near-kind", false},
    {MUTANT_FOLDER "/bin_45_children_from_the_last.so", "different-order", false},
    {MUTANT_FOLDER "/bin_12_every_module_is_imported.so", "refused-unreached", false},
    {MUTANT_FOLDER "/bin_41_key_error.so", "error-kind-of-error", false},
    {MUTANT_FOLDER "/bin_18_error_replaced.so", "error-loader-fails", false},
    {MUTANT_FOLDER "/bin_19_value_error.so", "error-loader-gives-none", false},
};
enum { FLAWS = sizeof flaws / sizeof flaws[0] };

// Inputs have thousands of bytes now and then; what a finding needs is a few.
static void check_small(const char *finding)
{
  char path[8400];
  struct stat status;
  snprintf(path, sizeof path, "%s/input.bin", finding);
  ck_assert_int_eq(stat(path, &status), 0);
  ck_assert_msg(status.st_size <= SMALL, "%s has %ld bytes", path, (long)status.st_size);
}

TEST(each_flaw_is_found, .rows = FLAWS)
{
  char path[FINDING_PATH_SIZE];
  finding_folder_make();
  const char *library = flaws[_i].library;
  ToolRun seen = run(
      &patient, 1,
      TOOL("fuzz", "--runs=6000", "-j1", "--timeout=300ms", "-q", "-o", finding_folder, library));
  ck_assert_ptr_nonnull(strstr(seen.out, "FOUND"));
  tool_free(&seen);
  finding_folder_find(flaws[_i].finding, path);
  check_small(path);
  // It shows on the same library, on another one no more.
  seen = run(&patient, 1, TOOL("fuzz", "--timeout=300ms", "--replay", path, library));
  ck_assert_ptr_nonnull(strstr(seen.out, "1 of 1 findings show"));
  tool_free(&seen);
  seen = run(&patient, 0, TOOL("fuzz", "--replay", finding_folder, REFERENCE));
  ck_assert_ptr_nonnull(strstr(seen.out, "\n0 of "));
  tool_free(&seen);
  if (!flaws[_i].is_hidden) finding_program_check(path, library, "./payload.so");
  finding_folder_remove();
}

// Of one aspect and class two findings are kept, one for each place where the process went down.
TEST(places_are_told_apart)
{
  char path[FINDING_PATH_SIZE];
  finding_folder_make();
  ToolRun seen = run(&patient, 1,
                     TOOL("fuzz", "--runs=6000", "-j1", "-q", "-o", finding_folder,
                          FLAW_FOLDER "/bin_33_places.so"));
  ck_assert_ptr_nonnull(strstr(seen.out, ": 2 findings in"));
  tool_free(&seen);
  finding_folder_find("crash-trailing", path);
  finding_folder_find("crash-trailing-2", path);
  finding_folder_remove();
}

// --- The verb ------------------------------------------------------------------------------------

// Own: what this command writes that shows what was found, after how much was run.
static char *found_with(const char *seed, const char *jobs, const char *show)
{
  char command[4300], text[65536];
  unsigned inputs, behaviours;
  finding_folder_make();
  ToolRun seen = run(&patient, 1,
                     TOOL("fuzz", "--runs=4000", jobs, "-q", seed, "-o", finding_folder,
                          MUTANT_FOLDER "/bin_45_children_from_the_last.so"));
  const char *summary = strstr(seen.out, " inputs in "), *kept = strstr(seen.out, " processes, ");
  ck_assert(summary && kept && sscanf(kept, " processes, %u behaviours", &behaviours) == 1);
  while (summary > seen.out && summary[-1] != '\n') --summary;
  ck_assert_int_eq(sscanf(summary, "%u inputs", &inputs), 1);
  tool_free(&seen);
  size_t used = (size_t)snprintf(text, sizeof text, "%u %u\n", inputs, behaviours);
  snprintf(command, sizeof command, "cd '%s' && %s", finding_folder, show);
  FILE *list = popen(command, "r");
  ck_assert_ptr_nonnull(list);
  text[used + fread(text + used, 1, sizeof text - used - 1, list)] = '\0';
  pclose(list);
  finding_folder_remove();
  return strdup(text);
}

TEST(the_same_seed_finds_the_same)
{
  static const char all[] = "od -An -tx1 */input.bin && ls && cat */*.json";
  char *one = found_with("--seed=5", "-j1", all), *again = found_with("--seed=5", "-j1", all),
       *other = found_with("--seed=6", "-j1", all);
  ck_assert_ptr_nonnull(strstr(one, "different-"));
  ck_assert_str_eq(one, again);
  ck_assert_str_ne(one, other);
  free(one);
  free(again);
  free(other);
}

// Which slot shows a thing first is chance, and what they run, and what of it is found, is not.
TEST(the_same_slots_find_the_same_kinds)
{
  char *one = found_with("--seed=5", "-j2", "ls"), *again = found_with("--seed=5", "-j2", "ls"),
       *other = found_with("--seed=5", "-j3", "ls");
  ck_assert_ptr_nonnull(strstr(one, "different-"));
  ck_assert_str_eq(one, again);
  ck_assert_str_ne(one, other);
  free(one);
  free(again);
  free(other);
}

TEST(an_interrupt_leaves_what_was_found)
{
  struct stat status;
  char path[4300];
  finding_folder_make();
  ToolSetup setup = {.interrupt_after = 3, .limit = 60};
  ToolRun seen = run(&setup, 130,
                     TOOL("fuzz", "--surface=library_bin", "--time=1h", "-o", finding_folder,
                          MUTANT_FOLDER "/bin_6_empty_value_refused.so"));
  ck_assert_ptr_nonnull(strstr(seen.out, "interrupted: the findings so far\n"));
  ck_assert_ptr_nonnull(strstr(seen.out, "refused: empty-value"));
  snprintf(path, sizeof path, "%s/refused-empty-value/repro.c", finding_folder);
  ck_assert_int_eq(stat(path, &status), 0);
  tool_free(&seen);
  seen =
      run(&patient, 1,
          TOOL("fuzz", "--replay", finding_folder, MUTANT_FOLDER "/bin_6_empty_value_refused.so"));
  ck_assert_ptr_nonnull(strstr(seen.out, "1 of 1 findings show"));
  tool_free(&seen);
  finding_folder_remove();
}

// Neither a campaign nor a replay goes on waiting for an input that has a minute.
TEST(an_interrupt_ends_what_hangs, .rows = 2)
{
  ToolSetup setup = {.interrupt_after = 1.5, .limit = 30};
  finding_folder_make();
  const char *const *words =
      _i ? TOOL("fuzz", "--timeout=60s", "--replay=" FINDINGS "/accepted-cycle",
                FLAW_FOLDER "/bin_30_hang.so")
         : TOOL("fuzz", "--timeout=60s", "--time=1h", "-o", finding_folder,
                FLAW_FOLDER "/bin_30_hang.so");
  ToolRun seen = run(&setup, 130, words);
  ck_assert_ptr_nonnull(strstr(seen.out, _i ? "(interrupted)" : "interrupted: the findings"));
  ck_assert_msg(seen.seconds < 15, "it took %.1f s", seen.seconds);
  tool_free(&seen);
  finding_folder_remove();
}

// To make sure of a hang takes four times the limit, which is more than there is: it is told as
// seen once, and the time is kept.
TEST(what_is_found_too_late_is_kept_unconfirmed)
{
  char path[FINDING_PATH_SIZE];
  finding_folder_make();
  ToolRun seen = {0};
  // On a machine that is very busy not even the first time may come to an end.
  for (int tries = 0; tries < 4 && seen.exit_code != 1; ++tries) {
    tool_free(&seen);
    seen = tool_run(&patient, TOOL("fuzz", "--time=1.5s", "--timeout=1s", "-j1", "-o",
                                   finding_folder, FLAW_FOLDER "/bin_30_hang.so"));
    ck_assert_msg(seen.seconds < 1.5 + 3 + 2, "it took %.1f s", seen.seconds);
  }
  ck_assert_ptr_nonnull(strstr(seen.out, "FOUND hang: cycle"));
  ck_assert_ptr_nonnull(strstr(seen.out, "no time was left to confirm it"));
  ck_assert_ptr_nonnull(strstr(seen.out, ", 1 of them not confirmed\n"));
  tool_free(&seen);
  finding_folder_find("hang-cycle", path);
  strcat(path, "/finding.json");
  json_t *finding = tool_json(path);
  ck_assert(json_is_false(json_object_get(finding, "confirmed")));
  json_decref(finding);
  seen = run(
      &patient, 1,
      TOOL("fuzz", "--timeout=300ms", "--replay", finding_folder, FLAW_FOLDER "/bin_30_hang.so"));
  ck_assert_ptr_nonnull(strstr(seen.out, "1 of 1 findings show"));
  tool_free(&seen);
  finding_folder_remove();
}

// --- Replay --------------------------------------------------------------------------------------

TEST(what_shows_is_told_from_what_is_gone)
{
  ToolRun seen =
      run(&patient, 1,
          TOOL("fuzz", "--replay=" FINDINGS, MUTANT_FOLDER "/bin_6_empty_value_refused.so"));
  ck_assert_ptr_nonnull(strstr(seen.out, "\nshows       refused-empty-value\n"));
  ck_assert_ptr_nonnull(strstr(seen.out, "\ngone        accepted-first-row\n"));
  ck_assert_ptr_nonnull(strstr(seen.out, "\n1 of "));
  tool_free(&seen);
}

static const struct {
  const char *damage, *says;
} damages[] = {
    {"truncate -s 20 input.bin", "input.bin is damaged"},
    {": > input.bin", "input.bin is damaged"},
    {"rm input.bin", "input.bin: No such file"},
    {"echo { > finding.json", "finding.json:2:0: the file is truncated"},
    {"sed -i s/empty-value/no-aspect/ finding.json", "finding.json does not describe a finding"},
    {"rm finding.json", "finding.json: No such file"},
};
enum { DAMAGES = sizeof damages / sizeof damages[0] };

// A folder that is not whole is no regression test that passes.
TEST(damaged_findings_are_told, .rows = DAMAGES)
{
  char command[9000];
  finding_folder_make();
  snprintf(command, sizeof command, "cp -r '%s' '%s/a' && cd '%s/a' && { %s; }",
           FINDINGS "/refused-empty-value", finding_folder, finding_folder, damages[_i].damage);
  ck_assert_int_eq(system(command), 0);
  ToolRun seen = run(NULL, 2, TOOL("fuzz", "--replay", finding_folder, REFERENCE));
  ck_assert_msg(strstr(seen.err, damages[_i].says) != NULL, "%s", seen.err);
  tool_free(&seen);
  finding_folder_remove();
}

// A file stands where the folder of the finding is to be made.
TEST(a_finding_that_can_not_be_written_is_told)
{
  char path[4300];
  finding_folder_make();
  snprintf(path, sizeof path, "%s/refused-empty-value", finding_folder);
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fclose(file);
  ToolRun seen = run(&patient, 4,
                     TOOL("fuzz", "--runs=3000", "-j1", "-o", finding_folder,
                          MUTANT_FOLDER "/bin_6_empty_value_refused.so"));
  ck_assert_ptr_nonnull(strstr(seen.out, "FOUND refused: empty-value"));
  ck_assert_ptr_nonnull(strstr(seen.out, ", 1 of them without all of its files\n"));
  ck_assert_ptr_nonnull(strstr(seen.err, "refused-empty-value/input.bin: Not a directory"));
  tool_free(&seen);
  finding_folder_remove();
}

TEST(a_terminal_has_a_status_line)
{
  if (!tool_has_terminals()) return;
  ToolSetup setup = {.on_terminal = true, .limit = 60};
  ToolRun seen = run(&setup, 0, TOOL("fuzz", "--time=1s", "-j1", REFERENCE));
  ck_assert_ptr_nonnull(strstr(seen.out, "\r\033[K"));
  ck_assert_ptr_nonnull(strstr(seen.out, "/s  corpus "));
  ck_assert_ptr_nonnull(strstr(seen.out, "  found: nothing"));
  tool_free(&seen);
  seen = run(NULL, 0, TOOL("fuzz", "--time=1s", "-j1", REFERENCE));
  ck_assert_ptr_null(strchr(seen.out, '\033'));
  tool_free(&seen);
}

// A library that closes descriptors that it has not opened is fuzzed all the same.
TEST(a_library_may_close_low_descriptors)
{
  finding_folder_make();
  ToolRun seen = run(&patient, 0,
                     TOOL("fuzz", "--runs=2000", "-j1", "-o", finding_folder,
                          HOSTILE_FOLDER "/load_close_low.so"));
  ck_assert_ptr_nonnull(strstr(seen.out, ": 0 findings\n"));
  ck_assert_ptr_null(strstr(seen.out, "\n0 inputs"));
  tool_free(&seen);
  finding_folder_remove();
}

static const struct {
  int exit_code;
  const char *words[4], *says;
} mistakes[] = {
    {2, {"--surface=none", REFERENCE}, "unknown surface \"none\" (one of library_bin"},
    {2, {"--replay=/nowhere", REFERENCE}, "cannot read directory /nowhere"},
    {2, {"--program", FINDINGS}, "25 findings (name the folder of one)"},
    {2, {"--program", REFERENCE}, "libtvm_ffi.so"},
    {2, {"--time=soon", REFERENCE}, "expected a time such as 90s"},
    {2, {"--runs=0", REFERENCE}, "expected a whole number from 1"},
    {2, {NULL}, "missing IMPL.so"},
    {3, {"/nowhere.so"}, "/nowhere.so"},
    {3, {MODULE_FILE}, "is not a runtime"},
    {3, {HOSTILE_FOLDER "/load_crash.so"}, "cannot load "},
    {3,
     {"--surface=strings", HOSTILE_FOLDER "/call_scribble.so"},
     "overwrites memory that it shares"},
    {3,
     {"--timeout=100ms", "-j1", HOSTILE_FOLDER "/load_atfork_hang.so"},
     "before the first input"},
    {3, {"--timeout=100ms", "--rate", HOSTILE_FOLDER "/load_atfork_hang.so"}, "before the first"},
};
enum { MISTAKES = sizeof mistakes / sizeof mistakes[0] };

TEST(mistakes_are_told, .rows = MISTAKES)
{
  const char *words[8] = {TOOL_PROGRAM, "fuzz"};
  memcpy(words + 2, mistakes[_i].words, sizeof mistakes[_i].words);
  ToolRun seen = run(NULL, mistakes[_i].exit_code, words);
  ck_assert_msg(strstr(seen.err, mistakes[_i].says) != NULL, "%s", seen.err);
  tool_free(&seen);
}

// What the help calls the surfaces is what there is, in the same order.
TEST(the_help_has_every_surface)
{
  static const char begin[] = "(one of ";
  ToolRun refusal = run(NULL, 2, TOOL("fuzz", "--surface=none", REFERENCE));
  ToolRun help = run(NULL, 0, TOOL("fuzz", "--help"));
  char *names = strstr(refusal.err, begin), *at = strstr(help.out, "Surfaces:");
  ck_assert(names && at);
  unsigned count = 0;
  for (char *name = strtok(names + strlen(begin), ", )\n"); name; name = strtok(NULL, ", )\n")) {
    char *there = strstr(at, name);
    ck_assert_msg(there && strchr(", .", there[strlen(name)]), "the help has no surface %s", name);
    ck_assert_msg(strspn(at, " ,\n") == (size_t)(there - at) || count == 0 ||
                      strncmp(at, " (the default)", 14) == 0,
                  "before %s the help has: %.*s", name, (int)(there - at), at);
    at = there + strlen(name);
    ++count;
  }
  ck_assert_uint_gt(count, 5);
  ck_assert_msg(*at == '.', "the help has more surfaces: %s", at);
  tool_free(&refusal);
  tool_free(&help);
}

TEST(the_rate_is_measured)
{
  ToolRun seen = run(NULL, 0, TOOL("fuzz", "--rate", "--time=1s", REFERENCE));
  ck_assert_ptr_nonnull(strstr(seen.out, "valid inputs per second"));
  const char *rate = strstr(seen.out, ": ");
  ck_assert_ptr_nonnull(rate);
  ck_assert_int_gt(atoi(rate + 2), 10000);
  tool_free(&seen);
}

// What a library says of the places that were reached is asked for, and heard.
TEST(a_library_that_tells_of_its_places_is_heard)
{
#ifdef GUARDS
  unsigned places = 0;
  ToolRun seen = run(NULL, 0, TOOL("fuzz", "--runs=5000", "-j1", GUARDS));
  const char *told = strstr(seen.out, "behaviours kept, ");
  ck_assert_msg(told && sscanf(told, "behaviours kept, %u places reached", &places) == 1, "%s",
                seen.out);
  ck_assert_uint_gt(places, 100);
  tool_free(&seen);
#endif
}

// The exit code of fuzzing the texts of this library with a seed.
static int fuzz_texts(const char *library, unsigned seed)
{
  char seed_word[32];
  snprintf(seed_word, sizeof seed_word, "--seed=%u", seed);
  finding_folder_make();
  ToolRun seen = tool_run(&patient, TOOL("fuzz", "--surface=strings", "--runs=200000", "-j1", "-q",
                                         seed_word, "-o", finding_folder, library));
  bool found = seen.exit_code == 1 && strstr(seen.out, "FOUND crash");
  ck_assert_msg(found || seen.exit_code == 0, "exit code %d:\n%s%s", seen.exit_code, seen.out,
                seen.err);
  tool_free(&seen);
  finding_folder_remove();
  return found;
}

// The same flaw, seed and number of inputs: where the library tells of its places, the flaw is
// found with one of the first seeds (it is with six of ten), and else it is not.
TEST(places_guide_to_what_nothing_else_tells_of, .rows = 2)
{
#ifdef GUARDS
  static const char *const traced[] = {GUARDS, COUNTERS};
  unsigned seed = 1;
  while (seed < 10 && !fuzz_texts(traced[_i], seed)) ++seed;
  ck_assert_uint_lt(seed, 10);
  ck_assert(!fuzz_texts(FLAW_FOLDER "/magic.so", seed));
#endif
}

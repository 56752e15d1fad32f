// SPDX-License-Identifier: Apache-2.0
// `tvmffi-conform fuzz --surface=...` on the reference, which shows nothing, and on runtimes with a
// flaw each: it is found, shows again, and the program that is left shows it, too.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "finding_folder.h"
#include "finding_program.h"
#include "tests/tool/tool.h"
#include "unit/unit.h"

static void run(int exit_code, const char *says, const char *const *words)
{
  const ToolSetup patient = {.limit = 60};
  ToolRun seen = tool_run(&patient, words);
  ck_assert_msg(seen.exit_code == exit_code && strstr(seen.out, says),
                "exit code %d, signal %d, not %d and \"%s\":\n%s%s", seen.exit_code, seen.signal,
                exit_code, says, seen.out, seen.err);
  ck_assert_ptr_null(strstr(seen.out, "did not come again"));
  tool_free(&seen);
}

static const char *const surfaces[] = {"dtype", "strings", "error",
                                       "any",   "dlpack",  "api_sequence"};
enum { SURFACES = sizeof surfaces / sizeof surfaces[0] };

TEST_GROUP(fuzz_calls, .timeout = 120);

TEST(the_reference_shows_nothing, .rows = SURFACES)
{
  char surface[64];
  finding_folder_make();
  snprintf(surface, sizeof surface, "--surface=%s", surfaces[_i]);
  run(0, ": 0 findings\n",
      TOOL("fuzz", surface, "--runs=20000", "-j2", "-q", "-o", finding_folder, REFERENCE));
  finding_folder_remove();
}

// The surface, the mutant, and how the name of the folder begins as which it is found.
static const struct {
  const char *surface, *mutant, *finding;
} flaws[] = {
    {"dtype", "dtype_15_bits_wrap", "accepted-range"},
    {"dtype", "dtype_14_type_error", "error-no-dtype"},
    {"dtype", "dtype_2_leading_zero_refused", "refused-"},
    {"dtype", "dtype_4_lanes_of_eight_bits", "different-lanes"},
    {"dtype", "dtype_16_one_byte_further", "crash-"},
    {"dtype", "dtype_23_scalable_lanes_unsigned", "different-print-scalable"},
    {"dtype", "dtype_35_copy_left_behind", "leak-"},
    {"strings", "str_7_no_nul", "different-"},
    {"strings", "str_9_ill_formed_text_replaced", "different-any-bytes"},
    {"strings", "str_10_no_data_refused", "refused-no-data"},
    {"strings", "str_11_nul_taken_along", "crash-"},
    {"strings", "str_8_long_bytes_cut_at_nul", "different-"},
    {"error", "err_22_cut_at_nul", "different-nuls"},
    {"error", "err_25_one_byte_further", "crash-"},
    {"error", "err_30_old_backtrace_lost", "leak-"},
    {"error", "err_4_reference_added", "different-"},
    {"error", "err_19_ends_at_null", "different-null-parts"},
    {"any", "any_17_output_cleared", "different-moved-rvalue"},
    {"any", "any_17_none_instead", "accepted-moved-rvalue"},
    {"any", "any_12_nul_taken_along", "crash-"},
    {"any", "any_8_eight_bytes_fit", "different-raw-string"},
    {"any", "any_14_unknown_type_refused", "refused-object-of-a-strange-type"},
    {"any", "any_30_records_stay", "leak-"},
    {"dlpack", "ten_9_never_called", "leak-"},
    {"dlpack", "ten_15_accepted", "accepted-unaligned"},
    {"dlpack", "ten_18_every_stride_compared", "refused-single-element"},
    {"dlpack", "ten_11_deleted", "different-"},
    {"api_sequence", "any_13_two_references", "different-convert"},
    {"api_sequence", "any_15_slot_kept", "different-move"},
    {"api_sequence", "err_6_reference_taken_over", "different-raise"},
    {"api_sequence", "err_5_moved_twice", "different-"},
    {"api_sequence", "err_10_one_slot_for_all", "different-"},
};
enum { FLAWS = sizeof flaws / sizeof flaws[0] };

TEST(each_flaw_is_found, .rows = FLAWS)
{
  char path[FINDING_PATH_SIZE], surface[64], library[4200];
  finding_folder_make();
  snprintf(surface, sizeof surface, "--surface=%s", flaws[_i].surface);
  snprintf(library, sizeof library, MUTANT_FOLDER "/%s.so", flaws[_i].mutant);
  run(1, "FOUND", TOOL("fuzz", surface, "--runs=6000", "-j1", "-q", "-o", finding_folder, library));
  finding_folder_find(flaws[_i].finding, path);
  // It shows on the same library, on another one no more, and so does its program.
  run(1, "1 of 1 findings show", TOOL("fuzz", "--replay", path, library));
  run(0, "\n0 of ", TOOL("fuzz", "--replay", path, REFERENCE));
  finding_program_check(path, library, "");
  finding_folder_remove();
}

// What shows behind other calls only is told with them, and its program makes them all.
TEST(what_shows_behind_others_is_found)
{
  char path[FINDING_PATH_SIZE];
  static const char library[] = FLAW_FOLDER "/str_9_remembers.so";
  finding_folder_make();
  run(1, "FOUND",
      TOOL("fuzz", "--surface=strings", "--runs=6000", "-j1", "-q", "-o", finding_folder, library));
  finding_folder_find("stateful-different-", path);
  run(1, "1 of 1 findings show", TOOL("fuzz", "--replay", path, library));
  run(0, "\n0 of ", TOOL("fuzz", "--replay", path, REFERENCE));
  finding_program_check(path, library, "");
  finding_folder_remove();
}

// SPDX-License-Identifier: Apache-2.0
// What a slot saw at the end of a case becomes an outcome: each kind from fabricated evidence.
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "battery/expect.h"
#include "battery/tried.h"
#include "run/observation.h"
#include "test_engine.h"

enum { NONCE = 4711 };
static const uint64_t load_address = 0x7f0000000000;

static Slot slot;
static Evidence *evidence;
static InspectSymbol symbols[] = {{0x1000, 0x20, "TVMFFIObjectIncRef"},
                                  {0x1020, 0x40, "TVMFFIObjectDecRef"},
                                  {0x2000, 8, "helper"}};
static const InspectReport library = {.symbols = symbols, .symbol_count = 3};

static void prepare(void)
{
  memset(&slot, 0, sizeof slot);
  slot.evidence = evidence = engine_evidence(NONCE);
  slot.nonce = NONCE;
  slot.started_ns = slot_now_ns();
}

// A status as from waitpid. (Of one that a signal ended it is the number of the signal.)
#define EXITED(code) ((code) << 8)

static void record(int held, int failed, EvidenceEnd end)
{
  expect_record_into(evidence);
  for (int i = 0; i < held; ++i) expect_int("held", i, i);
  for (int i = 0; i < failed; ++i) expect_int("failed", i, -1);
  expect_seal(end);
}

TEST_GROUP(observation, .setup = prepare);

TEST(what_a_function_lacks_is_told_without_a_process)
{
  for (int i = 0; i < 2; ++i) {
    Outcome outcome = observe_lack("it takes no tensor", i != 0);
    ck_assert_int_eq(outcome.kind, OUTCOME_SEALED);
    ck_assert_int_eq(outcome.end, i ? EVIDENCE_NOT_CONCERNED : EVIDENCE_SKIPPED);
    ck_assert_str_eq(outcome.evidence->reason, "it takes no tensor");
    outcome_clear(&outcome);
  }
}

TEST(a_clean_pass_keeps_nothing)
{
  record(3, 0, EVIDENCE_FINISHED);
  strcpy(slot.text, "chatter");
  slot.text_size = slot.text_total = 7;
  Outcome outcome = observe_end(&slot, EXITED(0), &library);
  ck_assert_int_eq(outcome.kind, OUTCOME_SEALED);
  ck_assert_int_eq(outcome.end, EVIDENCE_FINISHED);
  ck_assert_uint_eq(outcome.held, 3);
  ck_assert_uint_eq(outcome.failed, 0);
  ck_assert_ptr_null(outcome.evidence);
  ck_assert_uint_eq(outcome.output_bytes, 7);
  outcome_clear(&outcome);
}

TEST(a_failed_expectation_keeps_its_evidence)
{
  record(1, 2, EVIDENCE_FINISHED);
  strcpy(slot.text, "a word");
  slot.text_size = 6;
  slot.text_total = 100000;
  Outcome outcome = observe_end(&slot, EXITED(0), &library);
  ck_assert_int_eq(outcome.kind, OUTCOME_SEALED);
  ck_assert_uint_eq(outcome.failed, 2);
  ck_assert_ptr_ne(outcome.evidence, evidence);
  ck_assert_str_eq(outcome.evidence->failures[1].seen, "1");
  ck_assert_str_eq(outcome.output, "a word");
  ck_assert_uint_eq(outcome.output_bytes, 100000);
  outcome_clear(&outcome);
  ck_assert_ptr_null(outcome.evidence);
  ck_assert_ptr_null(outcome.output);
}

TEST(a_pass_that_saw_nothing_is_not_clean)
{
  record(0, 0, EVIDENCE_FINISHED);
  Outcome outcome = observe_end(&slot, EXITED(0), &library);
  ck_assert_int_eq(outcome.kind, OUTCOME_SEALED);
  ck_assert_uint_eq(outcome.held, 0);
  ck_assert_ptr_nonnull(outcome.evidence);
  outcome_clear(&outcome);
}

TEST(skipped_and_inconclusive_say_why)
{
  const EvidenceEnd ends[] = {EVIDENCE_SKIPPED, EVIDENCE_INCONCLUSIVE, EVIDENCE_REQUIREMENT};
  for (int i = 0; i < 3; ++i) {
    evidence_clear(evidence, NONCE);
    strcpy(evidence->reason, "because");
    record(1, 0, ends[i]);
    Outcome outcome = observe_end(&slot, EXITED(0), &library);
    ck_assert_int_eq(outcome.kind, OUTCOME_SEALED);
    ck_assert_int_eq(outcome.end, ends[i]);
    ck_assert_str_eq(outcome.evidence->reason, "because");
    outcome_clear(&outcome);
  }
}

// What came of three rows in one process.
TEST(rows_pass_if_all_do_or_one_does_not_apply)
{
  static const struct {
    uint32_t rows, held[3], failed;
    EvidenceEnd end;
    bool races;
    size_t passed;
    bool first_lacks;
  } ends[] = {{3, {1, 2, 3}, 0, EVIDENCE_FINISHED, false, 3, false},
              {2, {1, 2}, 0, EVIDENCE_SKIPPED, false, 2, false},
              {1, {4}, 0, EVIDENCE_NOT_CONCERNED, false, 1, false},
              {0, {0}, 0, EVIDENCE_SKIPPED, false, 0, true},
              {2, {1, 2}, 0, EVIDENCE_FINISHED, false, 0, false},
              {3, {1, 0, 3}, 0, EVIDENCE_FINISHED, false, 0, false},
              {1, {0}, 0, EVIDENCE_SKIPPED, false, 0, false},
              {3, {1, 2, 3}, 1, EVIDENCE_FINISHED, false, 0, false},
              {3, {1, 2, 3}, 0, EVIDENCE_FINISHED, true, 0, false},
              {2, {1, 2}, 0, EVIDENCE_INCONCLUSIVE, false, 0, false},
              {4, {1, 2, 3}, 0, EVIDENCE_SKIPPED, false, 0, false}};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i) {
    ObservedRows rows;
    evidence_clear(evidence, NONCE);
    evidence->rows = ends[i].rows;
    memcpy(evidence->row_held, ends[i].held, sizeof ends[i].held);
    evidence->races = ends[i].races;
    record(6, ends[i].failed, ends[i].end);
    Outcome outcome = observe_end_of_rows(&slot, EXITED(0), &library, 3, &rows);
    ck_assert_msg(rows.passed == ends[i].passed && rows.first_lacks == ends[i].first_lacks,
                  "%zu: %zu passed", i, rows.passed);
    for (size_t k = 0; k < rows.passed; ++k) ck_assert_uint_eq(rows.held[k], ends[i].held[k]);
    outcome_clear(&outcome);
  }
  // What is in the memory later is not looked at, and a seal covers the rows.
  evidence_clear(evidence, NONCE);
  record(6, 0, EVIDENCE_FINISHED);
  evidence->rows = 3;
  ObservedRows rows;
  Outcome outcome = observe_end_of_rows(&slot, EXITED(0), &library, 3, &rows);
  ck_assert_int_eq(outcome.kind, OUTCOME_LOST);
  ck_assert_uint_eq(rows.passed, 0);
  outcome_clear(&outcome);
}

TEST(a_row_has_its_share_of_the_time)
{
  const Outcome whole = {.kind = OUTCOME_SEALED, .duration_ns = 900, .limit_ns = 50};
  const Outcome row = observe_row(&whole, 3, 7);
  ck_assert_int_eq(row.kind, OUTCOME_SEALED);
  ck_assert_int_eq(row.end, EVIDENCE_FINISHED);
  ck_assert_uint_eq(row.held, 7);
  ck_assert_uint_eq(row.duration_ns, 300);
  ck_assert_uint_eq(row.limit_ns, 50);
}

TEST(an_exit_without_seal_is_an_exit)
{
  Outcome outcome = observe_end(&slot, EXITED(0), &library);
  ck_assert_int_eq(outcome.kind, OUTCOME_EXITED);
  ck_assert_int_eq(outcome.exit_code, 0);
  outcome_clear(&outcome);
  outcome = observe_end(&slot, EXITED(7), &library);
  ck_assert_int_eq(outcome.kind, OUTCOME_EXITED);
  ck_assert_int_eq(outcome.exit_code, 7);
  outcome_clear(&outcome);
  // What a sanitizer finds after the case was done fails it all the same.
  record(3, 0, EVIDENCE_FINISHED);
  outcome = observe_end(&slot, EXITED(99), &library);
  ck_assert_int_eq(outcome.kind, OUTCOME_EXITED);
  ck_assert_int_eq(outcome.exit_code, 99);
  outcome_clear(&outcome);
}

TEST(a_signal_is_a_crash_in_the_innermost_function_of_the_library)
{
  evidence->load_address = load_address;
  evidence->crash.signal = SIGSEGV;
  evidence->crash.code = 1;
  evidence->crash.address = 8;
  evidence->crash.frame_count = 3;
  evidence->crash.frames[0] = 0x555500001234;  // somewhere else: memcpy, say
  evidence->crash.frames[1] =
      load_address + 0x1020;  // a return address: the call was the last of IncRef
  evidence->crash.frames[2] = load_address + 0x1030;
  strcpy(evidence->crash.fence, "byte 1 past the end of args (32 bytes)");
  Outcome outcome = observe_end(&slot, SIGSEGV, &library);
  ck_assert_int_eq(outcome.kind, OUTCOME_CRASHED);
  ck_assert_int_eq(outcome.signal, SIGSEGV);
  ck_assert_str_eq(outcome.where, "TVMFFIObjectIncRef+0x20");
  ck_assert_str_eq(outcome.evidence->crash.fence, "byte 1 past the end of args (32 bytes)");
  outcome_clear(&outcome);
  ck_assert_ptr_null(outcome.where);

  evidence->crash.frames[0] = load_address + 0x1020;  // not a return address: the first of DecRef
  outcome = observe_end(&slot, SIGSEGV, &library);
  ck_assert_str_eq(outcome.where, "TVMFFIObjectDecRef+0x0");
  outcome_clear(&outcome);
}

TEST(a_crash_may_have_no_place)
{
  Outcome outcome = observe_end(&slot, SIGKILL, &library);
  ck_assert_int_eq(outcome.kind, OUTCOME_CRASHED);
  ck_assert_int_eq(outcome.signal, SIGKILL);
  ck_assert_ptr_null(outcome.where);
  outcome_clear(&outcome);
  // A crash after the seal is a crash.
  record(3, 0, EVIDENCE_FINISHED);
  evidence->crash.signal = SIGBUS;
  evidence->crash.frame_count = UINT32_MAX;  // more than there is room for
  outcome = observe_end(&slot, SIGBUS, &library);
  ck_assert_int_eq(outcome.kind, OUTCOME_CRASHED);
  ck_assert_ptr_null(outcome.where);
  ck_assert_uint_eq(outcome.evidence->crash.frame_count, EVIDENCE_FRAMES_MAX);
  outcome_clear(&outcome);
}

TEST(time_that_is_up_goes_before_everything)
{
  record(3, 0, EVIDENCE_FINISHED);
  slot.timed_out = true;
  strcpy(evidence->note, "waiting");
  const int statuses[] = {0, SIGKILL, EXITED(3)};
  for (int i = 0; i < 3; ++i) {
    Outcome outcome = observe_end(&slot, statuses[i], &library);
    ck_assert_int_eq(outcome.kind, OUTCOME_TIMED_OUT);
    ck_assert_str_eq(outcome.evidence->note, "waiting");
    outcome_clear(&outcome);
  }
}

static void expect_lost(int status, const char *why)
{
  Outcome outcome = observe_end(&slot, status, &library);
  ck_assert_int_eq(outcome.kind, OUTCOME_LOST);
  ck_assert_ptr_nonnull(strstr(outcome.lost, why));
  ck_assert_ptr_null(outcome.evidence);
  ck_assert_uint_eq(outcome.held + outcome.failed, 0);
  outcome_clear(&outcome);
}

TEST(evidence_that_contradicts_itself_is_none)
{
  record(3, 0, EVIDENCE_FINISHED);
  atomic_store(&evidence->held, 4);
  expect_lost(0, "seal");
  atomic_store(&evidence->held, 3);
  evidence->seal ^= 1;
  expect_lost(0, "seal");
  evidence->seal ^= 1;
  evidence->end = EVIDENCE_INCONCLUSIVE + 1;
  expect_lost(0, "overwritten");
  evidence->end = EVIDENCE_FINISHED;
  evidence->nonce ^= 1;
  expect_lost(0, "overwritten");
  expect_lost(-1, "no process");
  Outcome outcome = observe_lost("the sky fell");
  ck_assert_int_eq(outcome.kind, OUTCOME_LOST);
  ck_assert_str_eq(outcome.lost, "the sky fell");
}

// The seal of another run, true in itself, is no seal of this one.
TEST(a_seal_of_another_run_does_not_count)
{
  evidence_clear(evidence, NONCE - 1);
  record(3, 0, EVIDENCE_FINISHED);
  expect_lost(0, "overwritten");
}

TEST(texts_end_whatever_was_written)
{
  memset(evidence, 0xEE, sizeof *evidence);
  Outcome outcome = observe_end(&slot, SIGSEGV, &library);
  ck_assert_int_eq(outcome.kind, OUTCOME_CRASHED);
  const Evidence *seen = outcome.evidence;
  ck_assert_uint_eq(strlen(seen->reason), sizeof seen->reason - 1);
  ck_assert_uint_eq(strlen(seen->note), sizeof seen->note - 1);
  ck_assert_uint_eq(strlen(seen->crash.fence), sizeof seen->crash.fence - 1);
  for (int i = 0; i < EVIDENCE_FAILURES_MAX; ++i) {
    ck_assert_uint_eq(strlen(seen->failures[i].what), sizeof seen->failures[i].what - 1);
    ck_assert_uint_eq(strlen(seen->failures[i].expected), sizeof seen->failures[i].expected - 1);
    ck_assert_uint_eq(strlen(seen->failures[i].seen), sizeof seen->failures[i].seen - 1);
    ck_assert_uint_eq(strlen(seen->failures[i].note), sizeof seen->failures[i].note - 1);
    ck_assert_uint_eq(strlen(seen->failures[i].source), sizeof seen->failures[i].source - 1);
  }
  ck_assert_int_le(outcome.end, EVIDENCE_INCONCLUSIVE);
  ck_assert_uint_eq(outcome.tried_count, 0);
  outcome_clear(&outcome);
}

static void try_some(void)
{
  expect_record_into(evidence);
  for (int64_t rank = 0; rank < 3; ++rank) {
    tried(TRIED_PROMISED, "x: float32");
    tried_came_to(TRIED_SERVED);
    if (rank == 0) tried_came_to(TRIED_RIGHT);
  }
  tried(TRIED_EXPLORED, "nothing comes of it");
  tried(TRIED_EXPLORED, "k: %d", -1);
  tried_came_to(TRIED_REFUSED);
  tried_settled_by("\"where\": [\"%s\"]", "k >= 0");
}

static void expect_tried(const EvidenceTried *entry, TriedEnd end, unsigned times, const char *what,
                         const char *settled)
{
  ck_assert_str_eq(entry->what, what);
  ck_assert_str_eq(entry->settled, settled);
  ck_assert_uint_eq(entry->end, end);
  ck_assert_uint_eq(entry->times, times);
}

// Those that are alike are one, and a pass keeps them, too.
TEST(what_was_tried_is_kept)
{
  try_some();
  expect_int("one", 1, 1);
  expect_seal(EVIDENCE_FINISHED);
  Outcome outcome = observe_end(&slot, EXITED(0), &library);
  ck_assert_ptr_null(outcome.evidence);
  ck_assert_uint_eq(outcome.tried_count, 3);
  expect_tried(&outcome.tried[0], TRIED_RIGHT, 1, "x: float32", "");
  expect_tried(&outcome.tried[1], TRIED_SERVED, 2, "x: float32", "");
  expect_tried(&outcome.tried[2], TRIED_REFUSED, 1, "k: -1", "\"where\": [\"k >= 0\"]");
  ck_assert_uint_eq(outcome.tried[2].promise, TRIED_EXPLORED);
  ck_assert_uint_eq(outcome.tried_more, 0);
  outcome_clear(&outcome);
  ck_assert_ptr_null(outcome.tried);
}

TEST(a_combination_that_ends_the_process_is_told)
{
  try_some();
  tried(TRIED_EXCLUDED, "k: 7");
  Outcome outcome = observe_end(&slot, SIGSEGV, &library);
  ck_assert_uint_eq(outcome.tried_count, 4);
  expect_tried(&outcome.tried[3], TRIED_NO_RETURN, 1, "k: 7", "");
  outcome_clear(&outcome);
  // A requirement that did not hold is what came of it.
  expect_int("two", 1, 2);
  expect_seal(EVIDENCE_REQUIREMENT);
  outcome = observe_end(&slot, EXITED(0), &library);
  ck_assert_uint_eq(outcome.tried_count, 4);
  expect_tried(&outcome.tried[3], TRIED_WRONG, 1, "k: 7", "");
  outcome_clear(&outcome);
}

TEST(a_combination_that_was_not_made_is_kept_with_what_would_settle_it)
{
  try_some();
  for (int i = 0; i < 2; ++i) {
    tried(TRIED_EXCLUDED, "refuses[%d]", i);
    tried_settled_by("\"calls\"");
  }
  expect_int("one", 1, 1);
  expect_seal(EVIDENCE_FINISHED);
  Outcome outcome = observe_end(&slot, EXITED(0), &library);
  ck_assert_uint_eq(outcome.tried_count, 5);
  expect_tried(&outcome.tried[3], TRIED_OPEN, 1, "refuses[0]", "\"calls\"");
  expect_tried(&outcome.tried[4], TRIED_OPEN, 1, "refuses[1]", "\"calls\"");
  outcome_clear(&outcome);
}

TEST(a_combination_of_which_the_case_says_nothing_is_left_out)
{
  try_some();
  tried(TRIED_EXCLUDED, "k: 7");
  expect_int("one", 1, 1);
  expect_seal(EVIDENCE_FINISHED);
  Outcome outcome = observe_end(&slot, EXITED(0), &library);
  ck_assert_uint_eq(outcome.tried_count, 3);
  outcome_clear(&outcome);
}

TEST(more_combinations_than_there_is_room_for_are_counted)
{
  expect_record_into(evidence);
  for (int i = 0; i < EVIDENCE_TRIED_MAX + 5; ++i) {
    tried(TRIED_UNSAID, "k: %d", i);
    tried_came_to(TRIED_SERVED);
  }
  expect_seal(EVIDENCE_FINISHED);
  Outcome outcome = observe_end(&slot, EXITED(0), &library);
  ck_assert_uint_eq(outcome.tried_count, EVIDENCE_TRIED_MAX);
  ck_assert_uint_eq(outcome.tried_more, 5);
  ck_assert_str_eq(outcome.tried[EVIDENCE_TRIED_MAX - 1].what, "k: 47");
  outcome_clear(&outcome);
}

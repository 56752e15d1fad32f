// SPDX-License-Identifier: Apache-2.0
// The evidence channel: what the seal covers, who may set it, and that nothing of one run reaches
// the next.
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "battery/expect.h"
#include "test_engine.h"

static Evidence *sealed_evidence(void)
{
  Evidence *evidence = engine_evidence(42);
  expect_record_into(evidence);
  expect_int("two", 2, 2);
  expect_int("three", 2, 3);
  expect_seal(EVIDENCE_FINISHED);
  return evidence;
}

TEST(a_seal_fits_what_was_sealed)
{
  Evidence *evidence = sealed_evidence();
  ck_assert_uint_eq(evidence->seal, evidence_seal(evidence));
  ck_assert_uint_ne(evidence->seal, 0);
  ck_assert_uint_eq(evidence->end, EVIDENCE_FINISHED);
}

TEST(a_seal_fits_nothing_else)
{
  Evidence *evidence = sealed_evidence(), changed;
#define EXPECT_BROKEN_BY(change)                              \
  do {                                                        \
    memcpy(&changed, evidence, sizeof changed);               \
    change;                                                   \
    ck_assert_uint_ne(changed.seal, evidence_seal(&changed)); \
  } while (0)
  EXPECT_BROKEN_BY(changed.nonce ^= 1);
  EXPECT_BROKEN_BY(atomic_fetch_add(&changed.held, 1));
  EXPECT_BROKEN_BY(atomic_fetch_sub(&changed.failed, 1));
  EXPECT_BROKEN_BY(changed.end = EVIDENCE_SKIPPED);
  EXPECT_BROKEN_BY(changed.reason[0] = 'x');
  EXPECT_BROKEN_BY(changed.reason[sizeof changed.reason - 1] = 'x');
  EXPECT_BROKEN_BY(changed.failures[0].seen[0] ^= 1);
  EXPECT_BROKEN_BY(changed.failures[0].source[0] ^= 1);
  EXPECT_BROKEN_BY(changed.failures[0].seen_bytes[15] ^= 1);
  EXPECT_BROKEN_BY(changed.seal ^= 1);
#undef EXPECT_BROKEN_BY
}

TEST(a_seal_is_set_once)
{
  Evidence *evidence = sealed_evidence();
  uint64_t seal = evidence->seal;
  expect_seal(EVIDENCE_SKIPPED);
  ck_assert_uint_eq(evidence->end, EVIDENCE_FINISHED);
  ck_assert_uint_eq(evidence->seal, seal);
}

// A case that the library carried on with after its time must not seal the evidence of the next
// one.
TEST(a_seal_is_for_the_run_that_was_recorded)
{
  Evidence *evidence = engine_evidence(42);
  expect_record_into(evidence);
  evidence_clear(evidence, 43);
  expect_seal(EVIDENCE_FINISHED);
  ck_assert_uint_eq(evidence->end, EVIDENCE_NOT_ENDED);
  ck_assert_uint_eq(evidence->seal, 0);
}

TEST(a_copy_of_the_process_neither_records_nor_seals)
{
  Evidence *evidence = engine_evidence(42);
  expect_record_into(evidence);
  expect_int("two", 2, 2);
  pid_t copy = fork();
  if (copy == 0) {
    bool answers = expect_int("three", 3, 3) && !expect_int("four", 3, 4);
    expect_seal(EVIDENCE_FINISHED);
    _exit(answers ? 0 : 1);
  }
  int status;
  ck_assert_int_eq(waitpid(copy, &status, 0), copy);
  ck_assert_int_eq(status, 0);
  ck_assert_uint_eq(atomic_load(&evidence->held), 1);
  ck_assert_uint_eq(atomic_load(&evidence->failed), 0);
  ck_assert_uint_eq(evidence->end, EVIDENCE_NOT_ENDED);
  expect_seal(EVIDENCE_FINISHED);
  ck_assert_uint_eq(evidence->end, EVIDENCE_FINISHED);
}

// Threads that come to the end of a case at the same time, each in its way, and others that are still
// checking things.
enum { ENDING_THREADS = 4, CHECKING_THREADS = 2, ENDING_ROUNDS = 300, EMULATED_ROUNDS = 30 };
static pthread_barrier_t all_are_there;

// Under qemu threads that check things keep a round from ending for a tenth of a second.
static int ending_rounds(void)
{
  return getenv("TVMFFI_CONFORM_EMULATOR") ? EMULATED_ROUNDS : ENDING_ROUNDS;
}

static void *end_the_case(void *number)
{
  pthread_barrier_wait(&all_are_there);
  if (*(int *)number == 0) case_end_unsatisfied();
  case_not_applicable("the library has no function for thread %d of %d", *(int *)number,
                      ENDING_THREADS);
}

static void *check_for_ever(void *unused)
{
  pthread_barrier_wait(&all_are_there);
  for (int i = 0;; ++i) expect_int("a number", i % 2, 0);
  return unused;
}

static void end_on_many_threads(void *unused)
{
  (void)unused;
  int numbers[ENDING_THREADS];
  pthread_t threads[ENDING_THREADS + CHECKING_THREADS];
  pthread_barrier_init(&all_are_there, NULL, ENDING_THREADS + CHECKING_THREADS);
  for (int i = 0; i < CHECKING_THREADS; ++i)
    pthread_create(&threads[ENDING_THREADS + i], NULL, check_for_ever, NULL);
  for (int i = 0; i < ENDING_THREADS; ++i) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, end_the_case, &numbers[i]);
  }
  for (int i = 0; i < ENDING_THREADS; ++i) pthread_join(threads[i], NULL);
}

TEST_GROUP(ending, .timeout = 60);

TEST(one_thread_ends_a_case_and_no_other_writes_after_it)
{
  Evidence *evidence = engine_evidence(42);
  for (int round = 0; round < ending_rounds(); ++round) {
    evidence_clear(evidence, 42);
    int status = engine_in_child(evidence, end_on_many_threads, NULL);
    ck_assert_int_eq(status, 0);
    ck_assert_msg(evidence->end == EVIDENCE_SKIPPED || evidence->end == EVIDENCE_REQUIREMENT,
                  "round %d: it ended as %u", round, evidence->end);
    ck_assert_msg(evidence->seal == evidence_seal(evidence), "round %d: the seal is broken", round);
  }
}

// What a copy has to say of the case is not in the evidence, which the seal covers.
TEST(a_copy_of_the_process_gives_no_reason)
{
  Evidence *evidence = engine_evidence(42);
  expect_record_into(evidence);
  pid_t copy = fork();
  if (copy == 0) case_not_applicable("the copy has no arms");
  int status;
  ck_assert_int_eq(waitpid(copy, &status, 0), copy);
  ck_assert_str_eq(evidence->reason, "");
  ck_assert_uint_eq(evidence->end, EVIDENCE_NOT_ENDED);
}

TEST(clearing_leaves_nothing_that_counts)
{
  Evidence *evidence = engine_evidence(1);
  memset(evidence, 0xFF, sizeof *evidence);
  evidence_clear(evidence, 7);
  ck_assert_uint_eq(evidence->nonce, 7);
  ck_assert_uint_eq(atomic_load(&evidence->held), 0);
  ck_assert_uint_eq(atomic_load(&evidence->failed), 0);
  ck_assert_uint_eq(evidence->end, EVIDENCE_NOT_ENDED);
  ck_assert_uint_eq(evidence->seal, 0);
  ck_assert_uint_eq(evidence->duration_ns, 0);
  ck_assert_uint_eq(evidence->load_address, 0);
  ck_assert_uint_eq(evidence->version, 0);
  ck_assert_str_eq(evidence->reason, "");
  ck_assert_str_eq(evidence->note, "");
  ck_assert_int_eq(evidence->crash.signal, 0);
  ck_assert_uint_eq(evidence->crash.frame_count, 0);
  ck_assert_str_eq(evidence->crash.fence, "");
}

TEST(another_mapping_shows_the_same)
{
  int fd;
  Evidence *first = evidence_create(&fd), *second = evidence_attach(fd);
  ck_assert_ptr_nonnull(first);
  ck_assert_ptr_nonnull(second);
  ck_assert_ptr_ne(first, second);
  evidence_clear(first, 99);
  ck_assert_uint_eq(second->nonce, 99);
  atomic_store(&second->held, 3);
  ck_assert_uint_eq(atomic_load(&first->held), 3);
  munmap(second, sizeof *second);
  close(fd);
  ck_assert_uint_eq(first->nonce, 99);
  ck_assert_ptr_null(evidence_attach(-1));
}

// With so much of `resource` and no more; what was open before stays open.
static void expect_no_evidence_within(int resource, rlim_t least)
{
  struct rlimit before, narrow;
  ck_assert_int_eq(getrlimit(resource, &before), 0);
  narrow = (struct rlimit){least, before.rlim_max};
  ck_assert_int_eq(setrlimit(resource, &narrow), 0);
  // qemu takes a limit of memory for its own, and lets it pass without a word.
  struct rlimit taken;
  ck_assert_int_eq(getrlimit(resource, &taken), 0);
  if (taken.rlim_cur != least && getenv("TVMFFI_CONFORM_EMULATOR")) return;
  int fd = 4711;
  Evidence *evidence = evidence_create(&fd);
  ck_assert_int_eq(setrlimit(resource, &before), 0);
  ck_assert_ptr_null(evidence);
  ck_assert_int_eq(fd, -1);
}

TEST(there_is_none_without_descriptors_room_or_memory)
{
  int next = dup(STDERR_FILENO);
  ck_assert_int_ge(next, 0);
  close(next);
  signal(SIGXFSZ, SIG_IGN);
  expect_no_evidence_within(RLIMIT_NOFILE, 0);
  expect_no_evidence_within(RLIMIT_FSIZE, 0);
  expect_no_evidence_within(RLIMIT_AS, 0);
  // What was opened on the way is closed.
  int again = dup(STDERR_FILENO);
  ck_assert_int_eq(again, next);
  close(again);
}

// SPDX-License-Identifier: Apache-2.0
// What holds when threads do it at once. They count what went wrong, and the test's own judges.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elsewhere.h"
#include "probe.h"
#include "unit/unit.h"

enum { THREADS = 4 };

//--------------------------------------------------------------------------------------------------
// Counts
//--------------------------------------------------------------------------------------------------

static TVMFFIObjectHandle shared;

static long retain_and_release(int number)
{
  (void)number;
  for (int i = rounds(20000); i > 0; --i) {
    TVMFFIObjectIncRef(shared);
    TVMFFIObjectDecRef(shared);
  }
  return 0;
}

TEST_GROUP(all, .timeout = 120);

TEST(counts_are_exact)
{
  Probe probe = probe_make(200);
  shared = &probe;
  run_threads(THREADS, retain_and_release);
  expect_counts(&probe, 1, 1);
  ck_assert_int_eq(probe.calls, 0);
}

static int written[THREADS];  // without atomics: the counter orders them
static int deletions, all_written;

static void check_what_was_written(void *self)
{
  (void)self;
  ++deletions;
  for (int i = 0; i < THREADS; ++i) all_written += written[i];
}

static long write_and_release(int number)
{
  written[number] = 1;
  TVMFFIObjectDecRef(shared);
  return 0;
}

TEST(the_last_release_sees_what_was_written_before_any)
{
  for (int round = 1; round <= 300; ++round) {
    ck_assert_int_eq(
        TVMFFIObjectCreateOpaque(&shared, kTVMFFIOpaquePyObject, check_what_was_written, &shared),
        0);
    for (int i = 1; i < THREADS; ++i) TVMFFIObjectIncRef(shared);
    memset(written, 0, sizeof written);
    run_threads(THREADS, write_and_release);
    ck_assert_int_eq(deletions, round);
    ck_assert_int_eq(all_written, round * THREADS);
  }
}

// Each thread hands its functions to whoever comes next, so that they end elsewhere.
static _Atomic(TVMFFIObjectHandle) passed_on[3];
static atomic_int own_deletions;

static int count_call(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args;
  *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = num_args};
  return 0;
}

static void count_deletion(void *self)
{
  (void)self;
  atomic_fetch_add(&own_deletions, 1);
}

static long pass_functions_on(int number)
{
  long wrong = 0;
  for (int i = rounds(5000); i > 0; --i) {
    TVMFFIObjectHandle function = NULL;
    TVMFFIAny result = {.type_index = kTVMFFINone};
    wrong += TVMFFIFunctionCreate(&own_deletions, count_call, count_deletion, &function) != 0;
    function = atomic_exchange(&passed_on[(i + number) % 3], function);
    if (function == NULL) continue;
    wrong += TVMFFIFunctionCall(function, NULL, 0, &result) != 0 || result.v_int64 != 0;
    TVMFFIObjectDecRef(function);
  }
  return wrong;
}

TEST(functions_end_in_other_threads_than_they_began_in)
{
  ck_assert_int_eq(run_threads(THREADS, pass_functions_on), 0);
  for (int i = 0; i < 3; ++i) TVMFFIObjectDecRef(atomic_exchange(&passed_on[i], NULL));
  ck_assert_int_eq(atomic_load(&own_deletions), THREADS * rounds(5000));
}

//--------------------------------------------------------------------------------------------------
// What a thread keeps
//--------------------------------------------------------------------------------------------------

static long raise_and_move(int number)
{
  long wrong = 0;
  char due[32];
  snprintf(due, sizeof due, "error of %d", number);
  for (int i = 0; i < 2000; ++i) {
    TVMFFIObjectHandle error = NULL;
    TVMFFIErrorSetRaisedFromCStr("ValueError", due);
    TVMFFIErrorMoveFromRaised(&error);
    wrong += error == NULL || strcmp(error_cell_of(error)->message.data, due) != 0;
    TVMFFIObjectDecRef(error);
  }
  return wrong;
}

TEST(every_thread_has_its_own_slot)
{
  TVMFFIErrorSetRaisedFromCStr("KeyError", "of the main thread");
  ck_assert_int_eq(run_threads(THREADS, raise_and_move), 0);
  expect_raised("KeyError", "of the main thread");
}

static long keep_backtrace(int number)
{
  const TVMFFIByteArray *text = TVMFFIBacktrace("thread", number, "f", 0);
  char due[64];
  snprintf(due, sizeof due, "  File \"thread\", line %d, in f\n", number);
  for (int i = 0; i < 200; ++i) {
    if (strncmp(text->data, due, strlen(due)) != 0) return 1;
    sched_yield();
  }
  return 0;
}

TEST(every_thread_has_its_own_backtrace)
{
  ck_assert_int_eq(run_threads(THREADS, keep_backtrace), 0);
}

static long raise_and_end(int number)
{
  (void)number;
  TVMFFIErrorSetRaised(shared);
  TVMFFIBacktrace("a", 1, "b", 0);
  return 0;
}

TEST(a_thread_that_ends_lets_its_error_go)
{
  Probe error = probe_make(kTVMFFIError);
  shared = &error;
  run_threads(THREADS, raise_and_end);
  expect_counts(&error, 1, 1);
}

static pthread_key_t late_key;

static void raise_late(void *value)
{
  (void)value;
  TVMFFIErrorSetRaised(shared);
}

static long raise_while_ending(int number)
{
  pthread_setspecific(late_key, &late_key);
  return raise_and_end(number);
}

// The runtime's key is older than the one made here, so its destructor has run already.
TEST(an_error_raised_while_the_thread_ends_is_let_go)
{
  Probe error = probe_make(kTVMFFIError);
  shared = &error;
  raise_and_end(0);
  TVMFFIErrorSetRaised(NULL);
  ck_assert_int_eq(pthread_key_create(&late_key, raise_late), 0);
  run_threads(THREADS, raise_while_ending);
  expect_counts(&error, 1, 1);
  pthread_key_delete(late_key);
}

static long run_out_of_memory(int number)
{
  long wrong = 0;
  for (int i = 0; i < 500; ++i) {
    TVMFFIAny out = {.type_index = kTVMFFINone};
    faults_arm(1);
    TVMFFIBytesFromByteArray(BYTES("eight or more"), &out);
    wrong += !faults_disarm();
    TVMFFIObjectHandle error = NULL;
    TVMFFIErrorMoveFromRaised(&error);
    error_cell_of(error)->update_backtrace(error, BYTES("frame\n"), number % 2);
    wrong += error_cell_of(error)->backtrace.size != 0;
    TVMFFIObjectDecRef(error);
  }
  return wrong;
}

TEST(threads_share_the_error_for_want_of_memory)
{
  ck_assert_int_eq(run_threads(THREADS, run_out_of_memory), 0);
}

//--------------------------------------------------------------------------------------------------
// Handles made once
//--------------------------------------------------------------------------------------------------

static void *slot, *other_slot;
static atomic_int inits;
static sem_t inside, go_on;

static int init_slowly(void **result)
{
  if (atomic_fetch_add(&inits, 1) == 0) {
    for (int i = 0; i < 200; ++i) sched_yield();
  }
  *result = &inits;
  return 0;
}

static long init_and_look(int number)
{
  (void)number;
  return TVMFFIHandleInitOnce(&slot, init_slowly) != 0 || slot != &inits;
}

TEST(one_thread_of_many_makes_the_handle)
{
  for (int round = 1; round <= 100; ++round) {
    slot = NULL;
    atomic_store(&inits, 0);
    ck_assert_int_eq(run_threads(8, init_and_look), 0);
    ck_assert_int_eq(atomic_load(&inits), 1);
  }
}

static int fail_first(void **result)
{
  if (atomic_fetch_add(&inits, 1) < 3) {
    for (int i = 0; i < 50; ++i) sched_yield();
    return 5;
  }
  *result = &inits;
  return 0;
}

static long init_with_failures(int number)
{
  (void)number;
  return TVMFFIHandleInitOnce(&slot, fail_first) == 5;
}

TEST(who_waited_for_a_failure_tries_again)
{
  slot = NULL;
  atomic_store(&inits, 0);
  ck_assert_int_eq(run_threads(8, init_with_failures), 3);
  ck_assert_int_eq(atomic_load(&inits), 4);
  ck_assert_ptr_eq(slot, &inits);
}

static int count_deinit(void *handle)
{
  (void)handle;
  atomic_fetch_add(&inits, 1);
  return 3;
}

static long take_down(int number)
{
  (void)number;
  return TVMFFIHandleDeinitOnce(&slot, count_deinit);
}

TEST(one_thread_of_many_takes_the_handle_down)
{
  for (int round = rounds(100); round > 0; --round) {
    slot = &inits;
    atomic_store(&inits, 0);
    ck_assert_int_eq(run_threads(8, take_down), 3);
    ck_assert_int_eq(atomic_load(&inits), 1);
  }
}

static int init_when_told(void **result)
{
  sem_post(&inside);
  sem_wait(&go_on);
  *result = &inits;
  return 0;
}

static void *fill_when_told(void *argument)
{
  return (void *)(long)TVMFFIHandleInitOnce(argument, init_when_told);
}

TEST(slots_do_not_wait_for_each_other)
{
  pthread_t thread;
  void *result;
  slot = other_slot = NULL;
  sem_init(&inside, 0, 0);
  sem_init(&go_on, 0, 0);
  ck_assert_int_eq(pthread_create(&thread, NULL, fill_when_told, &slot), 0);
  sem_wait(&inside);
  ck_assert_int_eq(TVMFFIHandleInitOnce(&other_slot, init_slowly), 0);
  ck_assert_ptr_null(slot);
  sem_post(&go_on);
  pthread_join(thread, &result);
  ck_assert_ptr_null(result);
  ck_assert_ptr_eq(slot, &inits);
}

static pthread_barrier_t both_inside;

static int init_plainly(void **result)
{
  *result = &inits;
  return 0;
}

// Each thread is filling one slot when it asks for the other.
static int init_needs_other_slot(void **result)
{
  pthread_barrier_wait(&both_inside);
  *result = &inits;
  return TVMFFIHandleInitOnce(&other_slot, init_plainly);
}

static int init_needs_slot(void **result)
{
  pthread_barrier_wait(&both_inside);
  *result = &inits;
  return TVMFFIHandleInitOnce(&slot, init_plainly);
}

static long need_each_other(int number)
{
  return number == 0 ? TVMFFIHandleInitOnce(&slot, init_needs_other_slot)
                     : TVMFFIHandleInitOnce(&other_slot, init_needs_slot);
}

TEST(threads_that_need_each_others_handles_do_not_hang)
{
  pthread_barrier_init(&both_inside, NULL, 2);
  for (int round = rounds(100); round > 0; --round) {
    slot = other_slot = NULL;
    ck_assert_int_eq(run_threads(2, need_each_other), -1);  // one is refused, the other succeeds
    ck_assert_ptr_eq(slot, &inits);
    ck_assert_ptr_eq(other_slot, &inits);
  }
}

//--------------------------------------------------------------------------------------------------
// The table of names
//--------------------------------------------------------------------------------------------------

static int call_self(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)args, (void)num_args;
  *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = *(int *)handle};
  return 0;
}

static atomic_int closures_alive;

static void free_closure(void *self)
{
  free(self);
  atomic_fetch_sub(&closures_alive, 1);
}

static TVMFFIObjectHandle make_closure(int value)
{
  TVMFFIObjectHandle out = NULL;
  int *self = malloc(sizeof *self);
  *self = value;
  atomic_fetch_add(&closures_alive, 1);
  ck_assert_int_eq(TVMFFIFunctionCreate(self, call_self, free_closure, &out), 0);
  return out;
}

static int set_global(const char *name, int value)
{
  TVMFFIObjectHandle function = make_closure(value);
  TVMFFIByteArray text = {name, strlen(name)};
  int code = TVMFFIFunctionSetGlobal(&text, function, 1);
  TVMFFIObjectDecRef(function);
  return code;
}

// Looks the function up, calls it, releases it, and returns what it said, -1 if there is none.
static long call_global(const char *name)
{
  TVMFFIObjectHandle function = NULL;
  TVMFFIByteArray text = {name, strlen(name)};
  TVMFFIAny result = {.type_index = kTVMFFINone};
  TVMFFIFunctionGetGlobal(&text, &function);
  if (function == NULL) return -1;
  TVMFFIFunctionCall(function, NULL, 0, &result);
  TVMFFIObjectDecRef(function);
  return result.v_int64;
}

enum { ROUNDS = 3000 };

static long register_or_look_up(int number)
{
  char name[32];
  long wrong = 0;
  for (int i = 0; i < ROUNDS; ++i) {
    if (number == 0) {
      snprintf(name, sizeof name, "race.%d", i);
      wrong += set_global(name, i) != 0;
    } else {
      wrong += call_global("race.known") != 4711;
    }
  }
  return wrong;
}

TEST(known_names_are_found_while_others_are_registered)
{
  ck_assert_int_eq(set_global("race.known", 4711), 0);
  ck_assert_int_eq(run_threads(THREADS, register_or_look_up), 0);
  for (int i = 0; i < ROUNDS; ++i) {
    char name[32];
    snprintf(name, sizeof name, "race.%d", i);
    ck_assert_int_eq(call_global(name), i);
  }
}

static long override_or_look_up(int number)
{
  long wrong = 0;
  for (int i = 0; i < ROUNDS; ++i) {
    if (number < 2) {
      wrong += set_global("race.changing", i) != 0;
    } else {
      wrong += call_global("race.changing") < 0;
    }
  }
  return wrong;
}

TEST(a_function_found_lives_while_it_is_overridden)
{
  ck_assert_int_eq(set_global("race.changing", 0), 0);
  int before = atomic_load(&closures_alive);
  ck_assert_int_eq(run_threads(THREADS, override_or_look_up), 0);
  ck_assert_int_eq(atomic_load(&closures_alive), before);
}

static long claim_names(int number)
{
  (void)number;
  long refused = 0;
  TVMFFIObjectHandle function = make_closure(number);
  for (int i = 0; i < 500; ++i) {
    char name[32];
    TVMFFIByteArray text = {name, (size_t)snprintf(name, sizeof name, "race.claimed.%d", i)};
    if (TVMFFIFunctionSetGlobal(&text, function, 0) != 0) {
      ++refused;
      TVMFFIErrorSetRaised(NULL);
    }
  }
  TVMFFIObjectDecRef(function);
  return refused;
}

TEST(of_threads_that_claim_a_name_one_gets_it)
{
  ck_assert_int_eq(run_threads(THREADS, claim_names), 500 * (THREADS - 1));
}

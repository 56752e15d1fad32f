// SPDX-License-Identifier: Apache-2.0
// Handles that are made at most one time, when several threads want them, and when making one needs
// another.
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "battery/battery.h"

CHAPTER(once);

enum { RACERS = 8 };

static char made[2];
static atomic_uint calls, failures_left, arrived;

static void wait_microseconds(unsigned long count)
{
  struct timespec time = {0, (long)count * 1000};
  nanosleep(&time, NULL);
}

// Takes its time, so that the other threads arrive meanwhile, where the machine is busy, too.
static int make_slowly(void **result)
{
  enum { WAITS = 200, WAIT = 100 };
  atomic_fetch_add(&calls, 1);
  for (int i = 0; i < WAITS && atomic_load(&arrived) < RACERS; ++i) wait_microseconds(WAIT);
  wait_microseconds(300);
  *result = made;
  return 0;
}

static void *load(void **slot)
{
  return __atomic_load_n(slot, __ATOMIC_ACQUIRE);
}

// --- Races ---------------------------------------------------------------------------------------

static void fill(Iut *iut, unsigned index, void *slot)
{
  (void)index;
  atomic_fetch_add(&arrived, 1);
  expect_ok(iut, iut->HandleInitOnce(slot, make_slowly));
  expect_pointer("the slot when the call returns", load(slot), made);
}

// apache/tvm#19939, for which tvm-ffi#317 made these functions: a handle that was looked for and
// then written without a lock.
CASE(one_thread_makes_the_handle, .clauses = {ONCE_4},
     .title = "when threads request a handle at once, one makes it and all get it")
{
  void *slot = NULL;
  run_in_threads(iut, RACERS, fill, &slot);
  expect_int("calls of the function", atomic_load(&calls), 1);
}

enum { SLOTS = 200 };
static void *slots[SLOTS];

static int make_quickly(void **result)
{
  atomic_fetch_add(&calls, 1);
  *result = made;
  return 0;
}

static void fill_each(Iut *iut, unsigned index, void *context)
{
  (void)index, (void)context;
  for (unsigned i = 0; i < SLOTS; ++i)
    if (iut->HandleInitOnce(&slots[i], make_quickly) != 0 || load(&slots[i]) != made)
      expect_that(false, "returned 0 and a filled slot", "slot %u: a failure or an empty slot", i);
}

CASE(one_thread_makes_each_handle, .clauses = {ONCE_4},
     .title = "threads that fill many slots side by side make each handle once")
{
  run_in_threads(iut, RACERS, fill_each, NULL);
  expect_int("calls of the function", atomic_load(&calls), SLOTS);
}

// Never runs in two threads at once, so the plain counting down is safe.
static int fail_three_times(void **result)
{
  atomic_fetch_add(&calls, 1);
  wait_microseconds(50);
  if (atomic_load(&failures_left) > 0) {
    atomic_fetch_sub(&failures_left, 1);
    return -3;
  }
  *result = made;
  return 0;
}

static void insist(Iut *iut, unsigned index, void *slot)
{
  (void)index;
  int code = -3;
  for (unsigned tries = 0; code != 0 && tries < 8; ++tries) {
    code = iut->HandleInitOnce(slot, fail_three_times);
    if (code != 0) expect_int("returned by a call that failed", code, -3);
  }
  expect_int("returned in the end", code, 0);
  expect_pointer("the slot in the end", load(slot), made);
}

CASE(threads_try_again_after_failures, .clauses = {ONCE_6, ONCE_4},
     .title =
         "after failures the function is called again, by whichever thread, until it succeeds once")
{
  void *slot = NULL;
  atomic_store(&failures_left, 3);
  run_in_threads(iut, RACERS, insist, &slot);
  expect_int("calls of the function", atomic_load(&calls), 4);
}

static void fail_once(Iut *iut, unsigned index, void *slot)
{
  (void)index;
  expect_int("returned in the first thread", iut->HandleInitOnce(slot, fail_three_times), -3);
}

CASE(failure_in_one_thread_is_tried_again_in_another, .clauses = {ONCE_6},
     .title = "a call in another thread than the one that failed calls the function again")
{
  void *slot = NULL;
  atomic_store(&failures_left, 1);
  run_in_threads(iut, 1, fail_once, &slot);
  expect_ok(iut, iut->HandleInitOnce(&slot, fail_three_times));
  expect_int("calls of the function", atomic_load(&calls), 2);
  expect_pointer("the slot", slot, made);
}

static int unmake(void *handle)
{
  (void)handle;
  atomic_fetch_add(&calls, 1);
  return 0;
}

static void take_each_down(Iut *iut, unsigned index, void *context)
{
  (void)index, (void)context;
  for (unsigned i = 0; i < SLOTS; ++i)
    if (iut->HandleDeinitOnce(&slots[i], unmake) != 0 || load(&slots[i]) != NULL)
      expect_that(false, "returned 0 and an empty slot", "slot %u: a failure or a filled slot", i);
}

CASE(one_thread_takes_the_handle_down, .clauses = {ONCE_13},
     .title = "of the threads that take a handle down at once, one calls the function")
{
  for (unsigned i = 0; i < SLOTS; ++i) slots[i] = made;
  run_in_threads(iut, RACERS, take_each_down, NULL);
  expect_int("calls of the function", atomic_load(&calls), SLOTS);
}

// --- Two slots at the same time ------------------------------------------------------------------

// What has come to pass. A runtime may make one handle after the other: nobody waits for long.
static atomic_bool first_began, first_ended, second_began, third_comes;

static void await(atomic_bool *event, unsigned milliseconds)
{
  for (unsigned i = 0; i < 10 * milliseconds && !atomic_load(event); ++i) wait_microseconds(100);
}

static int make_first(void **result)
{
  atomic_store(&first_began, true);
  await(&second_began, 30);
  *result = made;
  return 0;
}

static int make_second(void **result)
{
  atomic_fetch_add(&calls, 1);
  atomic_store(&second_began, true);
  await(&third_comes, 30);
  wait_microseconds(5000);
  *result = &made[1];
  return 0;
}

static void fill_one_of_two(Iut *iut, unsigned index, void *context)
{
  void **two = context;
  if (index == 0) {
    expect_ok(iut, iut->HandleInitOnce(&two[0], make_first));
    atomic_store(&first_ended, true);
    return;
  }
  await(index == 1 ? &first_began : &first_ended, 500);
  if (index == 2) atomic_store(&third_comes, true);
  expect_ok(iut, iut->HandleInitOnce(&two[1], make_second));
  expect_pointer("the second slot when the call returns", load(&two[1]), &made[1]);
}

CASE(handle_is_made_once_while_another_is_finished, .clauses = {ONCE_4},
     .title = "a handle is made once, also when another is finished meanwhile")
{
  void *two[2] = {NULL, NULL};
  run_in_threads(iut, 3, fill_one_of_two, two);
  expect_int("calls of the function for the second slot", atomic_load(&calls), 1);
  expect_pointer("the first slot", two[0], made);
}

// --- One within another --------------------------------------------------------------------------

static Iut *iut_of_nested;
static void *nested_slots[3];
static atomic_int nested_thread;

// Makes the handle of the slot whose address it is given, and of all behind it first.
static int make_nested(void **result)
{
  unsigned depth = atomic_fetch_add(&calls, 1);
  if (depth + 1 < 3)
    expect_int("returned by the inner call",
               iut_of_nested->HandleInitOnce(&nested_slots[depth + 1], make_nested), 0);
  *result = made;
  return 0;
}

static void *fill_nested(void *context)
{
  (void)context;
  atomic_store(&nested_thread, (int)syscall(SYS_gettid));  // gettid() is of glibc 2.30
  expect_int("returned by the outer call",
             iut_of_nested->HandleInitOnce(&nested_slots[0], make_nested), 0);
  return NULL;
}

// Whether the kernel has a thread of this process down as asleep.
static bool is_asleep(int thread)
{
  char path[64], line[256] = "";
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
  FILE *file = fopen(path, "re");
  if (!file) return false;
  if (!fgets(line, sizeof line, file)) line[0] = '\0';
  fclose(file);
  const char *name_end = strrchr(line, ')');
  return name_end && name_end[1] == ' ' && name_end[2] == 'S';
}

// Waits for the end of a thread. False if it sleeps on and on: nobody else runs who could wake it.
static bool ends(pthread_t thread)
{
  for (unsigned asleep = 0; asleep < 100;) {
    if (pthread_tryjoin_np(thread, NULL) == 0) return true;
    wait_microseconds(200);
    asleep = is_asleep(atomic_load(&nested_thread)) ? asleep + 1 : 0;
  }
  return false;
}

// tvm-ffi's lock around the making is one for the process and not recursive: it waits for itself
// for ever.
CASE(making_one_handle_needs_another, .clauses = {ONCE_8}, .wrong_call = true,
     .title = "a function that is called to make a handle may have another one made")
{
  iut_of_nested = iut;
  note("a function called by HandleInitOnce calls HandleInitOnce for another slot");
  pthread_t thread;
  if (!iut_has(iut, FN_HandleInitOnce)) case_lacks_function(FN_HandleInitOnce);
  if (pthread_create(&thread, NULL, fill_nested, NULL) != 0)
    case_inconclusive("no thread can be started");
  require(expect_that(ends(thread), "all calls return", "a call that waits for itself"));
  expect_int("calls of the function", atomic_load(&calls), 3);
  for (unsigned i = 0; i < 3; ++i) expect_pointer("the slot", nested_slots[i], made);
}

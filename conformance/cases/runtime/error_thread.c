// SPDX-License-Identifier: Apache-2.0
// Errors and threads: each has a slot of its own, and what is in it goes when the thread goes.
#include <pthread.h>
#include <stdio.h>

#include "error_making.h"

CHAPTER(error);

// --- One slot a thread ---------------------------------------------------------------------------

static void raise_here(Iut *iut, unsigned index, void *error)
{
  (void)index;
  iut->ErrorSetRaised(error);
}

// An error and what the thread that raised it found in its slot.
typedef struct Raised {
  TVMFFIObjectHandle error, found;
} Raised;

static void raise_look_and_raise(Iut *iut, unsigned index, void *context)
{
  Raised *raised = context;
  (void)index;
  iut->ErrorSetRaised(raised->error);
  iut->ErrorMoveFromRaised(&raised->found);
  iut->ErrorSetRaised(raised->error);
  if (raised->found) iut->ObjectDecRef(raised->found);
}

static void move_here(Iut *iut, unsigned index, void *out)
{
  (void)index;
  iut->ErrorMoveFromRaised(out);
}

CASE(error_is_not_found_in_another_thread, .clauses = {ERR_10, ERR_3},
     .title = "an error raised in one thread is not found in another, and still found in its own")
{
  TVMFFIObjectHandle error = new_error(iut, "ValueError", "raised in the main thread", "");
  iut->ErrorSetRaised(error);
  TVMFFIObjectHandle elsewhere = error;
  run_in_threads(iut, 1, move_here, &elsewhere);
  expect_pointer("moved in another thread", elsewhere, NULL);
  expect_counts(iut, error, .strong = 2, .weak = 1);
  TVMFFIObjectHandle here = take_error(iut);
  if (expect_pointer("moved in the thread that raised", here, error)) release_object(iut, here);
  release_object(iut, error);
}

CASE(error_of_another_thread_is_not_found_here, .clauses = {ERR_10, ERR_3},
     .title = "an error raised in another thread is not found in this one")
{
  Raised raised = {.error = new_probe_object_of(iut, kTVMFFIError)};
  run_in_threads(iut, 1, raise_look_and_raise, &raised);
  expect_pointer("moved in the thread that raised", raised.found, raised.error);
  expect_no_error(iut);
}

CASE(raising_elsewhere_replaces_nothing_here, .clauses = {ERR_10},
     .title = "raising and moving in another thread leaves the slot of this one")
{
  TVMFFIObjectHandle error = new_error(iut, "ValueError", "raised in the main thread", "");
  iut->ErrorSetRaised(error);
  TVMFFIObjectHandle other = new_probe_object_of(iut, kTVMFFIError);
  TVMFFIObjectHandle elsewhere = other;
  run_in_threads(iut, 1, raise_here, other);
  run_in_threads(iut, 1, move_here, &elsewhere);
  expect_counts(iut, error, .strong = 2, .weak = 1);
  TVMFFIObjectHandle here = take_error(iut);
  if (expect_pointer("moved in the thread that raised", here, error)) release_object(iut, here);
  release_object(iut, error);
}

enum { THREADS = 6, ROUNDS = 100 };

static pthread_barrier_t all_raised;

// Every thread raises, then all wait, then every thread takes its own error.
static void raise_wait_and_take(Iut *iut, unsigned index, void *context)
{
  (void)context;
  char message[32];
  snprintf(message, sizeof message, "error of thread %u", index);
  iut->ErrorSetRaisedFromCStr("ValueError", message);
  pthread_barrier_wait(&all_raised);
  TVMFFIObjectHandle error = take_error(iut);
  if (expect_not_null("the error of this thread", error)) {
    expect_text("message", error_cell(iut, error)->message, message);
    iut->ObjectDecRef(error);
  }
  expect_no_error(iut);
}

CASE(every_thread_finds_its_own_error, .clauses = {ERR_10},
     .title = "threads that raise at the same time each find the error of their own")
{
  pthread_barrier_init(&all_raised, NULL, THREADS);
  run_in_threads(iut, THREADS, raise_wait_and_take, NULL);
}

static void raise_and_take_shared(Iut *iut, unsigned index, void *error)
{
  (void)index;
  for (int i = 0; i < ROUNDS; ++i) {
    iut->ErrorSetRaised(error);
    TVMFFIObjectHandle moved = take_error(iut);
    if (!expect_pointer("moved", moved, error)) return;
    iut->ObjectDecRef(moved);
  }
}

CASE(one_error_is_raised_in_many_threads, .clauses = {ERR_10, ERR_6, ERR_4},
     .title = "one error may lie in the slots of many threads at once, with a reference for each")
{
  TVMFFIObjectHandle error = new_probe_object_of(iut, kTVMFFIError);
  run_in_threads(iut, THREADS, raise_and_take_shared, error);
  expect_counts(iut, error, .strong = 1, .weak = 1);
  expect_deleter_calls(error, "");
}

// --- A thread that ends --------------------------------------------------------------------------

CASE(ending_thread_releases_a_shared_error, .clauses = {ERR_13}, .wrong_call = true,
     .title = "a thread that ends with an error in its slot releases the reference of the slot")
{
  TVMFFIObjectHandle error = new_error(iut, "ValueError", "left behind", "");
  Raised raised = {.error = error};
  run_in_threads(iut, 1, raise_look_and_raise, &raised);
  expect_pointer("moved in the thread that raised", raised.found, error);
  expect_counts(iut, error, .strong = 1, .weak = 1);
  release_object(iut, error);
}

static void raise_and_forget(Iut *iut, unsigned index, void *context)
{
  Raised *raised = context;
  raise_look_and_raise(iut, index, raised);
  iut->ObjectDecRef(raised->error);
}

CASE(ending_thread_releases_the_last_reference, .clauses = {ERR_13}, .wrong_call = true,
     .title = "an error that only the slot of an ending thread holds is released for good")
{
  TVMFFIObjectHandle error = new_probe_object_of(iut, kTVMFFIError);
  Raised raised = {.error = error};
  run_in_threads(iut, 1, raise_and_forget, &raised);
  expect_pointer("moved in the thread that raised", raised.found, error);
  expect_deleter_calls(error, "3");
}

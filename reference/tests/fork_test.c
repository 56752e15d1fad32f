// SPDX-License-Identifier: Apache-2.0
// A child has only the thread that forked. What the others were about must not stop it.
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

#include "elsewhere.h"
#include "probe.h"
#include "unit/unit.h"

static void *slot;
static char thing;
static sem_t inside, go_on;

static int init(void **result)
{
  *result = &thing;
  return 0;
}

static int init_when_told(void **result)
{
  sem_post(&inside);
  sem_wait(&go_on);
  *result = &go_on;
  return 0;
}

static void *fill_slot(void *argument)
{
  (void)argument;
  TVMFFIHandleInitOnce(&slot, init_when_told);
  return NULL;
}

static bool child_fills_slot(void)
{
  return TVMFFIHandleInitOnce(&slot, init) == 0 && slot == &thing;
}

TEST_GROUP(all, .timeout = 120);

TEST(a_slot_that_a_lost_thread_was_filling_can_be_filled)
{
  pthread_t thread;
  sem_init(&inside, 0, 0);
  sem_init(&go_on, 0, 0);
  slot = NULL;
  ck_assert_int_eq(pthread_create(&thread, NULL, fill_slot, NULL), 0);
  sem_wait(&inside);
  ck_assert(child_says(child_fills_slot));
  sem_post(&go_on);
  pthread_join(thread, NULL);
  ck_assert_ptr_eq(slot, &go_on);  // here nothing has changed
}

// The child goes on inside the initialisation: the slot is its own to fill, and nobody else's.
static bool child_is_filling(void)
{
  if (TVMFFIHandleInitOnce(&slot, init) != -1) return false;
  TVMFFIErrorSetRaised(NULL);
  static void *another;
  return TVMFFIHandleInitOnce(&another, init) == 0;
}

static int init_forks(void **result)
{
  *result = &thing;
  return child_says(child_is_filling) ? 0 : 9;
}

TEST(an_initialisation_may_fork)
{
  slot = NULL;
  ck_assert_int_eq(TVMFFIHandleInitOnce(&slot, init_forks), 0);
  ck_assert_ptr_eq(slot, &thing);
}

static atomic_bool stop;

static int call_nothing(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle, (void)args, (void)num_args, (void)result;
  return 0;
}

static bool set_global(TVMFFIByteArray *name)
{
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIFunctionCreate(NULL, call_nothing, NULL, &function) != 0) return false;
  int code = TVMFFIFunctionSetGlobal(name, function, 1);
  TVMFFIObjectDecRef(function);
  return code == 0;
}

static bool get_global(TVMFFIByteArray *name)
{
  TVMFFIObjectHandle function = NULL;
  bool found = TVMFFIFunctionGetGlobal(name, &function) == 0 && function != NULL;
  TVMFFIObjectDecRef(function);
  return found;
}

// Valgrind takes the processor from a thread after a fixed number of blocks. A loop may be inside the
// lock each time, and nobody else ever gets it: there it gives way outside of the lock.
static void *use_registry(void *argument)
{
  bool gives_way = under_valgrind();
  while (!atomic_load(&stop)) {
    if (argument != NULL) set_global(BYTES("fork.busy"));
    get_global(BYTES("fork.busy"));
    if (gives_way) sched_yield();
  }
  return NULL;
}

static bool child_uses_registry(void)
{
  return get_global(BYTES("fork.busy")) && set_global(BYTES("fork.busy")) &&
         set_global(BYTES("fork.new")) && get_global(BYTES("fork.new"));
}

TEST(a_registry_in_use_can_be_used)
{
  pthread_t reader, writer;
  ck_assert(set_global(BYTES("fork.busy")));
  ck_assert_int_eq(pthread_create(&reader, NULL, use_registry, NULL), 0);
  ck_assert_int_eq(pthread_create(&writer, NULL, use_registry, &thing), 0);
  int good = 0;
  for (int i = 0; i < 50; ++i) good += child_says(child_uses_registry);
  atomic_store(&stop, true);
  pthread_join(reader, NULL);
  pthread_join(writer, NULL);
  ck_assert_int_eq(good, 50);
}

static bool child_has_the_error(void)
{
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  if (error == NULL || strcmp(error_cell_of(error)->message.data, "inherited") != 0) return false;
  TVMFFIObjectDecRef(error);
  return true;
}

TEST(a_child_has_the_error_of_its_thread)
{
  TVMFFIErrorSetRaisedFromCStr("ValueError", "inherited");
  ck_assert(child_says(child_has_the_error));
  expect_raised("ValueError", "inherited");
}

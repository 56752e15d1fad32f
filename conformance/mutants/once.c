// SPDX-License-Identifier: Apache-2.0
// Mutants of handles that are initialised once.
#include <pthread.h>
#include <unistd.h>

#include "mutants/mutant.h"

static _Thread_local int (*wanted)(void **result);

MUTANT_WITHOUT(ONCE_1, no_taking_down, HandleDeinitOnce, "there is no TVMFFIHandleDeinitOnce");

static int call_with_garbage(void **result)
{
  *result = result;
  return wanted(result);
}

MUTANT(ONCE_18, result_not_prepared, HandleInitOnce,
       "the result that the function finds is not NULL")
{
  int (*outer)(void **result) = wanted;
  wanted = init_func;
  int status = REFERENCE(HandleInitOnce)(handle_addr, call_with_garbage);
  wanted = outer;
  return status;
}

MUTANT(ONCE_2, called_twice, HandleInitOnce,
       "the function is called twice to fill a slot, and its first handle dropped")
{
  void *dropped = NULL;
  if (*handle_addr == NULL && init_func(&dropped) != 0) return -1;
  return REFERENCE(HandleInitOnce)(handle_addr, init_func);
}

MUTANT(ONCE_3, called_again, HandleInitOnce,
       "the function is called for a filled slot too, and its handle dropped")
{
  void *dropped = NULL;
  if (*handle_addr != NULL) return init_func(&dropped);
  return REFERENCE(HandleInitOnce)(handle_addr, init_func);
}

MUTANT(ONCE_3, replaced, HandleInitOnce, "a filled slot is filled again")
{
  void *result = NULL;
  if (*handle_addr == NULL) return REFERENCE(HandleInitOnce)(handle_addr, init_func);
  int status = init_func(&result);
  if (status == 0) *handle_addr = result;
  return status;
}

MUTANT(ONCE_4, does_not_wait, HandleInitOnce,
       "a thread that finds another one making the handle returns at once")
{
  static void **busy;
  void **nobody = NULL;
  if (__atomic_load_n(&busy, __ATOMIC_ACQUIRE) == handle_addr) return 0;
  int mine = __atomic_compare_exchange_n(&busy, &nobody, handle_addr, 0, __ATOMIC_ACQ_REL,
                                         __ATOMIC_ACQUIRE);
  int status = REFERENCE(HandleInitOnce)(handle_addr, init_func);
  if (mine) __atomic_store_n(&busy, NULL, __ATOMIC_RELEASE);
  return status;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static void **being_filled;

MUTANT(ONCE_4, last_slot_only, HandleInitOnce,
       "of the slots that are being filled the one that came last is remembered")
{
  pthread_mutex_lock(&lock);
  while (*handle_addr == NULL && being_filled == handle_addr) pthread_cond_wait(&ended, &lock);
  void *filled = *handle_addr;
  if (filled == NULL) being_filled = handle_addr;
  pthread_mutex_unlock(&lock);
  if (filled != NULL) return 0;
  void *mine = NULL;
  int status = REFERENCE(HandleInitOnce)(&mine, init_func);
  pthread_mutex_lock(&lock);
  if (status == 0) *handle_addr = mine;
  being_filled = NULL;
  pthread_cond_broadcast(&ended);
  pthread_mutex_unlock(&lock);
  return status;
}

MUTANT(ONCE_4, not_locked, HandleInitOnce,
       "every thread that finds the slot empty calls the function")
{
  if (__atomic_load_n(handle_addr, __ATOMIC_ACQUIRE) != NULL) return 0;
  void *mine = NULL;
  int status = REFERENCE(HandleInitOnce)(&mine, init_func);
  if (status == 0) __atomic_store_n(handle_addr, mine, __ATOMIC_RELEASE);
  return status;
}

MUTANT(ONCE_5, code_lost, HandleInitOnce, "whatever code the function fails with, -1 is returned")
{
  return REFERENCE(HandleInitOnce)(handle_addr, init_func) == 0 ? 0 : -1;
}

MUTANT(ONCE_5, error_cleared, HandleInitOnce,
       "the error that the function raised is cleared unless the code is -1")
{
  int status = REFERENCE(HandleInitOnce)(handle_addr, init_func);
  if (status != 0 && status != -1) TVMFFIErrorSetRaised(NULL);
  return status;
}

static _Thread_local void *made;

static int call_and_note_handle(void **result)
{
  int status = wanted(result);
  made = *result;
  return status;
}

MUTANT(ONCE_5, handle_kept, HandleInitOnce, "a handle is kept though the function failed")
{
  wanted = init_func;
  made = NULL;
  int status = REFERENCE(HandleInitOnce)(handle_addr, call_and_note_handle);
  if (status != 0) *handle_addr = made;
  return status;
}

MUTANT(ONCE_6, failure_remembered, HandleInitOnce,
       "a failure is remembered, and the function not called again")
{
  static void **failed;
  static int code;
  if (failed == handle_addr) return code;
  int status = REFERENCE(HandleInitOnce)(handle_addr, init_func);
  if (status != 0) {
    code = status;
    failed = handle_addr;
  }
  return status;
}

static _Thread_local int code;

static int call_and_note_code(void **result)
{
  code = wanted(result);
  return code;
}

MUTANT(ONCE_7, nothing_is_enough, HandleInitOnce, "a function that leaves NULL has succeeded")
{
  wanted = init_func;
  code = -1;
  int status = REFERENCE(HandleInitOnce)(handle_addr, call_and_note_code);
  if (status == 0 || code != 0) return status;
  TVMFFIErrorSetRaised(NULL);
  return 0;
}

MUTANT(ONCE_9, one_handle_a_function, HandleInitOnce,
       "slots that are filled with the same function one after the other share a handle")
{
  static int (*last)(void **result);
  static void *handle;
  if (*handle_addr == NULL && last == init_func) *handle_addr = handle;
  int status = REFERENCE(HandleInitOnce)(handle_addr, init_func);
  last = status == 0 ? init_func : NULL;
  handle = *handle_addr;
  return status;
}

MUTANT(ONCE_10, slot_in_place_of_the_handle, HandleDeinitOnce,
       "the function is given the address of the slot in place of the handle")
{
  void *handle = __atomic_exchange_n(handle_addr, NULL, __ATOMIC_ACQ_REL);
  return handle ? deinit_func(handle_addr) : 0;
}

MUTANT(ONCE_17, emptied_afterwards, HandleDeinitOnce,
       "the slot is emptied when the function has run")
{
  void *handle = *handle_addr;
  if (handle == NULL) return 0;
  int status = deinit_func(handle);
  *handle_addr = NULL;
  return status;
}

MUTANT(ONCE_16, code_lost, HandleDeinitOnce,
       "whatever code the function fails with, -1 is returned")
{
  return REFERENCE(HandleDeinitOnce)(handle_addr, deinit_func) == 0 ? 0 : -1;
}

MUTANT(ONCE_11, slot_restored, HandleDeinitOnce,
       "the slot gets its handle back when the function fails")
{
  void *handle = *handle_addr;
  int status = REFERENCE(HandleDeinitOnce)(handle_addr, deinit_func);
  if (status != 0) *handle_addr = handle;
  return status;
}

MUTANT(ONCE_12, called_with_nothing, HandleDeinitOnce,
       "the function is called with NULL when the slot is empty")
{
  return deinit_func(__atomic_exchange_n(handle_addr, NULL, __ATOMIC_ACQ_REL));
}

// The sleep between the two stands for the interruptions of a busy machine.
MUTANT(ONCE_13, not_atomic, HandleDeinitOnce,
       "the handle is read, and the slot emptied a moment later")
{
  void *handle = __atomic_load_n(handle_addr, __ATOMIC_ACQUIRE);
  if (handle == NULL) return 0;
  usleep(1);
  __atomic_store_n(handle_addr, NULL, __ATOMIC_RELEASE);
  return deinit_func(handle);
}

static void **taken_down;

MUTANT(ONCE_14, done_for_good, HandleInitOnce, "a slot that was taken down stays empty")
{
  if (taken_down == handle_addr && *handle_addr == NULL) return 0;
  return REFERENCE(HandleInitOnce)(handle_addr, init_func);
}

ALSO(ONCE_14, done_for_good, HandleDeinitOnce)
{
  taken_down = handle_addr;
  return REFERENCE(HandleDeinitOnce)(handle_addr, deinit_func);
}

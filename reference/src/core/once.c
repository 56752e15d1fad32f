// SPDX-License-Identifier: Apache-2.0
// Handles made at first use. A slot that is being filled has an entry in a list, on the stack of
// the thread that fills it; others wait for the entry to go. The lock is never held while foreign
// code runs, so one initialisation may need another (ONCE-8), and slots don't wait for each other.
#include <pthread.h>

#include "core/object.h"
#include "core/raise.h"

// What a thread waits for: a slot that another one is filling; NULL for nothing.
static _Thread_local void **waits_for;

typedef struct OnceFilling {
  void **slot;
  void ***owner_waits_for;  // the thread that fills it, by the address of its `waits_for`
  struct OnceFilling *next;
} OnceFilling;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;  // guards all of these
static pthread_cond_t one_ended = PTHREAD_COND_INITIALIZER;
static OnceFilling *fillings;

static pthread_once_t fork_once = PTHREAD_ONCE_INIT;

static _Atomic(void *) *once_atomic(void **slot)
{
  _Static_assert(sizeof(_Atomic(void *)) == sizeof(void *), "a slot must be an atomic word");
  return (_Atomic(void *) *)slot;
}

//--------------------------------------------------------------------------------------------------
// A process that forks: in the child other threads are gone, and so is what they were filling.
//--------------------------------------------------------------------------------------------------

static void once_before_fork(void)
{
  pthread_mutex_lock(&lock);
}

static void once_after_fork(void)
{
  pthread_mutex_unlock(&lock);
}

static void once_after_fork_in_child(void)
{
  OnceFilling **link = &fillings;
  while (*link != NULL) {
    if ((*link)->owner_waits_for == &waits_for) {
      link = &(*link)->next;
    } else {
      *link = (*link)->next;
    }
  }
  one_ended = (pthread_cond_t)PTHREAD_COND_INITIALIZER;  // it counts on waiters who are gone
  pthread_mutex_unlock(&lock);
}

static void once_watch_forks(void)
{
  pthread_atfork(once_before_fork, once_after_fork, once_after_fork_in_child);
}

//--------------------------------------------------------------------------------------------------
// The list. All of these are called with the lock held.
//--------------------------------------------------------------------------------------------------

static OnceFilling *once_find(void **slot)
{
  OnceFilling *filling = fillings;
  while (filling != NULL && filling->slot != slot) filling = filling->next;
  return filling;
}

// Tells whether whoever fills the slot waits, at first or second hand, for this very thread.
static bool once_waits_for_me(const OnceFilling *filling)
{
  while (filling != NULL && filling->owner_waits_for != &waits_for) {
    filling = *filling->owner_waits_for == NULL ? NULL : once_find(*filling->owner_waits_for);
  }
  return filling != NULL;
}

static void once_remove(OnceFilling *filling)
{
  OnceFilling **link = &fillings;
  while (*link != filling) link = &(*link)->next;
  *link = filling->next;
}

typedef enum { ONCE_FILLED, ONCE_MINE, ONCE_CYCLE } OnceStatus;

// Waits until the slot is filled or nobody else is about to fill it.
static OnceStatus once_wait(void **slot)
{
  OnceFilling *other;
  while ((other = once_find(slot)) != NULL) {
    if (once_waits_for_me(other)) return ONCE_CYCLE;
    waits_for = slot;
    pthread_cond_wait(&one_ended, &lock);
    waits_for = NULL;
  }
  bool filled = atomic_load_explicit(once_atomic(slot), memory_order_acquire) != NULL;
  return filled ? ONCE_FILLED : ONCE_MINE;  // ONCE-4, ONCE-6
}

//--------------------------------------------------------------------------------------------------
// The C API
//--------------------------------------------------------------------------------------------------

static int once_fill(const char *caller, void **slot, int (*init_func)(void **result))
{
  void *handle = NULL;
  int code = init_func(&handle);
  if (code != 0) return code;  // ONCE-5
  if (handle == NULL) {        // ONCE-7
    return raise_error("RuntimeError", caller, ": `init_func` succeeded without a handle", NULL);
  }
  atomic_store_explicit(once_atomic(slot), handle, memory_order_release);  // ONCE-2
  return 0;
}

__attribute__((noinline)) static int once_init(const char *caller, void **slot,
                                               int (*init_func)(void **result))
{
  OnceFilling filling = {.slot = slot, .owner_waits_for = &waits_for};
  pthread_once(&fork_once, once_watch_forks);
  pthread_mutex_lock(&lock);
  OnceStatus status = once_wait(slot);
  if (status == ONCE_MINE) {
    filling.next = fillings;
    fillings = &filling;
  }
  pthread_mutex_unlock(&lock);
  if (status == ONCE_FILLED) return 0;
  if (status == ONCE_CYCLE) {
    return raise_error("RuntimeError", caller, ": the handle is needed for its own initialisation",
                       NULL);
  }
  int code = once_fill(caller, slot, init_func);
  pthread_mutex_lock(&lock);
  once_remove(&filling);
  pthread_cond_broadcast(&one_ended);
  pthread_mutex_unlock(&lock);
  return code;
}

int TVMFFIHandleInitOnce(void **handle_addr, int (*init_func)(void **result))
{
  if (handle_addr == NULL) return raise_null(__func__, "handle_addr");  // ONCE-15
  if (atomic_load_explicit(once_atomic(handle_addr), memory_order_acquire) != NULL)
    return 0;  // ONCE-3
  if (init_func == NULL) return raise_null(__func__, "init_func");
  return once_init(__func__, handle_addr, init_func);
}

int TVMFFIHandleDeinitOnce(void **handle_addr, int (*deinit_func)(void *handle))
{
  if (handle_addr == NULL) return raise_null(__func__, "handle_addr");
  _Atomic(void *) *slot = once_atomic(handle_addr);
  if (atomic_load_explicit(slot, memory_order_relaxed) == NULL) return 0;  // ONCE-12
  if (deinit_func == NULL) return raise_null(__func__, "deinit_func");
  void *handle = atomic_exchange_explicit(slot, NULL, memory_order_acq_rel);  // ONCE-10, ONCE-13
  return handle == NULL ? 0 : deinit_func(handle);                            // ONCE-11
}

// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_library_at_once.h"

#include <pthread.h>
#include <stdatomic.h>

#include "battery/access.h"

typedef struct AtOnce {
  const FuzzAtOnce *loads;
  pthread_barrier_t start;
  _Atomic unsigned wrong;
} AtOnce;

static void *load_again_and_again(void *self)
{
  AtOnce *all = self;
  const FuzzAtOnce *loads = all->loads;
  pthread_barrier_wait(&all->start);
  for (unsigned i = 0; i < loads->times && !atomic_load(&all->wrong); ++i) {
    TVMFFIAny path = view_of_raw_string(loads->path), result = any_none();
    int code = loads->iut->FunctionCall(loads->load, &path, 1, &result);
    if (code != 0) release_object(loads->iut, take_error(loads->iut));
    if (code != 0 || result.v_obj != loads->root) atomic_fetch_add(&all->wrong, 1);
    if (code == 0) release_any(loads->iut, &result);
  }
  return NULL;
}

int fuzz_load_at_once(const FuzzAtOnce *loads)
{
  enum { STACK = 512 << 10 };
  AtOnce all = {.loads = loads};
  pthread_t thread;
  pthread_attr_t small;
  pthread_barrier_init(&all.start, NULL, 2);
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, STACK);
  bool started = pthread_create(&thread, &small, load_again_and_again, &all) == 0;
  if (started) {
    load_again_and_again(&all);
    pthread_join(thread, NULL);
  }
  pthread_attr_destroy(&small);
  pthread_barrier_destroy(&all.start);
  return started ? (int)atomic_load(&all.wrong) : 0;
}

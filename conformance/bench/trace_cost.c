// SPDX-License-Identifier: Apache-2.0
// Calls a runtime again and again, and prints how long a call of each kind took: a line with its name
// and the nanoseconds, of the round that took least. harness/bench_trace.py runs it with the
// validation layer and without.
//
//   trace_cost RUNTIME.so
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "abi/abi.h"

// A round is much shorter than what other programs take of a processor at a time: many rounds run
// undisturbed on a busy machine.
enum { CALLS = 5000, ROUNDS = 100, THREADS = 2, THREAD_CALLS = 1000, THREAD_ROUNDS = 500 };

static AbiApi api;
static TVMFFIObject *function;

static int take(void *self, const TVMFFIAny *given, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)given, (void)num_args, (void)result;
  return 0;
}

static void retain(void)
{
  api.ObjectIncRef(function);
  api.ObjectDecRef(function);
}

// As programs do, who have them on their stack.
#define ARGUMENTS                                                                               \
  {                                                                                             \
    {.type_index = kTVMFFIInt, .v_int64 = 3}, {.type_index = kTVMFFIRawStr, .v_c_str = "text"}, \
        {.type_index = kTVMFFIFunction, .v_obj = function},                                     \
  }

static void call(int32_t num_args)
{
  TVMFFIAny args[] = ARGUMENTS, result = {0};
  if (api.FunctionCall(function, args, num_args, &result) != 0) abort();
}

static void call_without(void)
{
  call(0);
}

static void call_with_three(void)
{
  call(3);
}

static void call_in_place(void)
{
  TVMFFIAny args[] = ARGUMENTS, result = {0};
  TVMFFIFunctionCell *cell = (TVMFFIFunctionCell *)(function + 1);
  if (cell->safe_call(function, args, 3, &result) != 0) abort();
}

static void create(void)
{
  TVMFFIObjectHandle made = NULL;
  if (api.FunctionCreate(NULL, take, NULL, &made) != 0) abort();
  api.ObjectDecRef(made);
}

static double now_ns(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double least_ns(void (*operation)(void))
{
  double least = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    double start = now_ns();
    for (int i = 0; i < CALLS; ++i) operation();
    double took = (now_ns() - start) / CALLS;
    if (round == 0 || took < least) least = took;
  }
  return least;
}

typedef struct Span {
  double start, end;
} Span;

static Span spans[THREADS][THREAD_ROUNDS];
static atomic_int ready[THREAD_ROUNDS];

// Each round begins when all threads are there.
static void *run_thread(void *own)
{
  Span *span = own;
  for (int round = 0; round < THREAD_ROUNDS; ++round, ++span) {
    atomic_fetch_add(&ready[round], 1);
    while (atomic_load(&ready[round]) < THREADS) continue;
    span->start = now_ns();
    for (int i = 0; i < THREAD_CALLS; ++i) call_with_three();
    span->end = now_ns();
  }
  return NULL;
}

// From the first thread's begin to the last one's end, so that they ran at the same time in the round that
// took least.
static double in_threads(void)
{
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i)
    if (pthread_create(&threads[i], NULL, run_thread, spans[i]) != 0) abort();
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  double least = 0;
  for (int round = 0; round < THREAD_ROUNDS; ++round) {
    Span all = spans[0][round];
    for (int i = 1; i < THREADS; ++i) {
      if (spans[i][round].start < all.start) all.start = spans[i][round].start;
      if (spans[i][round].end > all.end) all.end = spans[i][round].end;
    }
    double took = (all.end - all.start) / THREAD_CALLS;
    if (round == 0 || took < least) least = took;
  }
  return least;
}

int main(int argc, char **argv)
{
  void *runtime = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!runtime) return 64;
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i)
    ((void **)&api)[i] = dlsym(runtime, abi_functions[i].symbol);
  TVMFFIObjectHandle made = NULL;
  if (api.FunctionCreate(NULL, take, NULL, &made) != 0) return 65;
  function = made;
  printf("retain and release\t%.2f\n", least_ns(retain) / 2);
  printf("call a function, no arguments\t%.2f\n", least_ns(call_without));
  printf("call a function, 3 arguments\t%.2f\n", least_ns(call_with_three));
  printf("call it in place, 3 arguments\t%.2f\n", least_ns(call_in_place));
  printf("create and release a function\t%.2f\n", least_ns(create));
  printf("3 arguments, in each of 2 threads\t%.2f\n", in_threads());
  return 0;
}

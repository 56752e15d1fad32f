// SPDX-License-Identifier: Apache-2.0
// Global functions. These operations come last, because what is registered stays.
#include "bench/bench_operations.h"

// From one name to the next: a prime, and no factor of any number of names here, so that every name
// comes up, and those that were registered one after the other do not follow each other.
enum { STRIDE = 7919 };

static bool prepare_names(BenchSubject *subject, const BenchOperation *operation)
{
  BenchNames *names = &subject->names;
  if (!bench_names_register(names, &subject->iut, subject->label, operation->size)) return false;
  subject->asked = names->bytes;
  subject->asked_count = names->registered;
  subject->stride = STRIDE % names->registered;
  return true;
}

static bool prepare_absent_names(BenchSubject *subject, const BenchOperation *operation)
{
  if (!prepare_names(subject, operation)) return false;
  subject->asked = bench_names_absent(&subject->names);
  return true;
}

// Each thread has names of its own: as many, one after the other, as `asked_count` says then.
static bool prepare_own_names(BenchSubject *subject, const BenchOperation *operation)
{
  if (!prepare_names(subject, operation)) return false;
  subject->asked_count /= BENCH_THREADS_MAX;
  subject->stride = STRIDE % subject->asked_count;
  return true;
}

// Threads begin in different places.
static inline size_t first_name(const BenchSubject *subject, unsigned thread)
{
  return thread * subject->asked_count / BENCH_THREADS_MAX;
}

static inline size_t step(const BenchSubject *subject, size_t at, size_t stride)
{
  size_t next = at + stride;
  return next < subject->asked_count ? next : next - subject->asked_count;
}

static inline size_t next_name(const BenchSubject *subject, size_t at)
{
  return step(subject, at, subject->stride);
}

// Begins with `names[at]`.
static inline int look_up(const BenchSubject *subject, const TVMFFIByteArray *names, size_t at,
                          size_t stride, uint64_t times)
{
  const Iut *iut = &subject->iut;
  int status = 0;
  for (; times; --times, at = step(subject, at, stride)) {
    TVMFFIObjectHandle function = NULL;
    status |= iut->FunctionGetGlobal(&names[at], &function);
    if (!function) return 1;
    status |= iut->ObjectDecRef(function);
  }
  return status;
}

static int run_look_up(BenchSubject *subject, unsigned thread, uint64_t times)
{
  return look_up(subject, subject->asked, first_name(subject, thread), subject->stride, times);
}

// The two go through their names in opposite directions, away from each other: a processor fetches
// ahead, and what it fetched beyond its own would be the other's.
static int run_look_up_own(BenchSubject *subject, unsigned thread, uint64_t times)
{
  const TVMFFIByteArray *own = subject->asked + thread * subject->asked_count;
  size_t down = subject->stride, up = subject->asked_count - down;
  return look_up(subject, own, 0, thread ? up : down, times);
}

static int run_look_up_in_vain(BenchSubject *subject, unsigned thread, uint64_t times)
{
  const Iut *iut = &subject->iut;
  int status = 0;
  for (size_t at = first_name(subject, thread); times; --times, at = next_name(subject, at)) {
    TVMFFIObjectHandle function = NULL;
    status |= iut->FunctionGetGlobal(&subject->asked[at], &function);
    status |= function != NULL;
  }
  return status;
}

static int do_nothing(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle, (void)args, (void)num_args, (void)result;
  return 0;
}

static bool prepare_override(BenchSubject *subject, const BenchOperation *operation)
{
  if (subject->iut.FunctionCreate(NULL, do_nothing, NULL, &subject->object) != 0) return false;
  if (!prepare_names(subject, operation)) return false;
  // They are all of one function then; who looks them up has them registered again.
  subject->names.registered = 0;
  return true;
}

static int run_override(BenchSubject *subject, unsigned thread, uint64_t times)
{
  int status = 0;
  for (size_t at = first_name(subject, thread); times; --times, at = next_name(subject, at))
    status |= subject->iut.FunctionSetGlobal(&subject->asked[at], subject->object, 1);
  return status;
}

// --- The table -----------------------------------------------------------------------------------

#define SET_GLOBAL (NEED(FunctionSetGlobal) | NEED(FunctionCreate) | NEED(ObjectDecRef))
#define GET_GLOBAL (NEED(FunctionGetGlobal) | SET_GLOBAL)

static const BenchOperation operations[] = {
    {"look up 1 of 10 functions, and release", GET_GLOBAL, 1, 10, prepare_names, run_look_up},
    {"look up what is not among 10", GET_GLOBAL, 1, 10, prepare_absent_names, run_look_up_in_vain},
    {"look up 1 of 1,000 functions, and release", GET_GLOBAL, 1, 1000, prepare_names, run_look_up},
    {"look up what is not among 1,000", GET_GLOBAL, 1, 1000, prepare_absent_names,
     run_look_up_in_vain},
    {"look up 1 of 1,000, in 2 threads", GET_GLOBAL, 2, 1000, prepare_names, run_look_up},
    {"look up 1 of 500 of its own, in 2 threads", GET_GLOBAL, 2, 1000, prepare_own_names,
     run_look_up_own},
    // Behind those in threads: what is registered again afterwards lies wherever there is room, the
    // functions of one thread's names beside those of the other's.
    {"replace 1 of 1,000 functions", SET_GLOBAL, 1, 1000, prepare_override, run_override},
    {"look up 1 of 100,000 functions, and release", GET_GLOBAL, 1, 100000, prepare_names,
     run_look_up},
    {"look up what is not among 100,000", GET_GLOBAL, 1, 100000, prepare_absent_names,
     run_look_up_in_vain},
};
const BenchGroup bench_registry_group = {operations, sizeof operations / sizeof *operations};

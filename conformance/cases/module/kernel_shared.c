// SPDX-License-Identifier: Apache-2.0
// Calls of several threads at the same time that work on objects: each thread on one of its own, and, where that is
// promised, all on the same.
#include <string.h>

#include "battery/fence.h"
#include "kernel/kernel_battery.h"
#include "kernel/kernel_cuda.h"
#include "kernel/kernel_program.h"
#include "kernel/kernel_same.h"
#include "kernel/kernel_stated.h"
#include "kernel/kernel_steps.h"

CHAPTER(kernel);

enum { THREADS = 4, ROUNDS_LEAST = 4, ROUNDS_MOST = 48, CALLS_MOST = THREADS * ROUNDS_MOST };

// Equal calls: those of a thread lie side by side. Each thread has one slot for results, from where they are copied.
typedef struct Calls {
  KernelCall *items[CALLS_MOST];
  TVMFFIAny results[CALLS_MOST];
  TVMFFIAny *slots[THREADS];
  unsigned rounds, count;
} Calls;

// (What is registered under a name is the same for all.)
static const char *lacks_object(const CaseInstance *instance)
{
  const Signature *signature = instance->signature;
  const Kernel *kernel = instance->kernel;
  const uint32_t form = kernel->chosen ? kernel->form : 0;
  bool object = false;
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    object |= kernel->parameters[i].kind == KERNEL_OBJECT;
  if (!object) return "it takes no object";
  if (!signature || signature->tentative || !signature_form(signature, form)->needs.count)
    return "no signature file says that other calls make an object for it (\"needs\")";
  return NULL;
}

static const char *lacks_shared(const CaseInstance *instance)
{
  const char *lack = kernel_lacks_promise(instance, SIGNATURE_SHARED);
  return lack ? lack : lacks_object(instance);
}

// Whether calls with the same object may have the same arguments, too: none is written to, or counts what is done with
// it.
static bool has_plain_arguments(const Kernel *kernel)
{
  for (uint32_t i = 0; i < kernel->parameter_count; ++i)
    if (kernel->parameters[i].kind == KERNEL_TENSOR ||
        kernel->parameters[i].kind == KERNEL_FUNCTION)
      return false;
  return kernel->element_count == 0;
}

// How many calls a thread makes: there is room for so many fences only.
static unsigned count_rounds(Iut *iut, const Kernel *kernel)
{
  enum { FENCES = 2000 };
  if (has_plain_arguments(kernel)) return ROUNDS_MOST;
  const unsigned before = fences_made();
  KernelCall *call = new_right_call(iut, kernel);
  const unsigned of_one = fences_made() - before + 2 + (unsigned)call->value_count;
  const unsigned rounds = FENCES / (of_one * THREADS);
  return rounds < ROUNDS_LEAST ? ROUNDS_LEAST : rounds > ROUNDS_MOST ? ROUNDS_MOST : rounds;
}

// The call once more, with the object of `first`. `calls` has it from another attempt, or not.
static KernelCall *take_call(const KernelCall *first, KernelCall *of_before)
{
  KernelCall *call = of_before;
  const bool plain = has_plain_arguments(first->kernel);
  if (!plain || !call)
    call = new_call_through(first->iut, first->kernel, first->function, first->handle, first->kept);
  if (plain) {
    memcpy(call->values, first->values, sizeof call->values);
    call->kept = first->kept;
    call->args = first->args;
  } else {
    call->args = fenced_args(call->values, (size_t)call->value_count);
  }
  return call;
}

// With one object for all, or for each thread. Fences are made before the threads begin.
static void prepare(Iut *iut, const Kernel *kernel, bool apart, unsigned rounds, Calls *calls)
{
  KernelCall *first = NULL;
  calls->rounds = rounds;
  calls->count = THREADS * rounds;
  for (unsigned i = 0; i < THREADS; ++i) calls->slots[i] = fenced_result();
  for (unsigned i = 0; i < calls->count; ++i) {
    const bool with_another = !first || (apart && i % rounds == 0);
    if (with_another) {
      first = new_right_call(iut, kernel);
      first->args = fenced_args(first->values, (size_t)first->value_count);
    }
    calls->items[i] = with_another ? first : take_call(first, calls->items[i]);
    calls->items[i]->result = &calls->results[i];
  }
}

static void make_those_of(Iut *iut, unsigned thread, void *context)
{
  Calls *calls = context;
  for (unsigned i = 0; i < calls->rounds; ++i) {
    KernelCall *call = calls->items[thread * calls->rounds + i];
    TVMFFIAny *slot = calls->slots[thread];
    *slot = call->result_before;
    kernel_call_function(call, call->handle, slot);
    *call->result = *slot;
    call->error = take_error(iut);
  }
}

static bool is_same(const KernelCall *one, const KernelCall *other)
{
  if ((one->returned == 0) != (other->returned == 0)) return false;
  return one->returned != 0 || kernel_calls_alike(one, other);
}

// How many of the outcomes are not as stated: of the same call where each thread has an object of its own, else of any,
// each of which stands for one.
static unsigned count_others(const Calls *calls, const Calls *stated, bool apart)
{
  bool taken[CALLS_MOST] = {false};
  unsigned others = 0;
  for (unsigned i = 0; i < calls->count; ++i) {
    unsigned k = apart ? i : 0;
    const unsigned behind = apart ? i + 1 : calls->count;
    while (k < behind && (taken[k] || !is_same(calls->items[i], stated->items[k]))) ++k;
    if (k < behind)
      taken[k] = true;
    else
      ++others;
  }
  return others;
}

static void drop_all(Calls *calls)
{
  for (unsigned i = 0; i < calls->count; ++i) drop_outcome(calls->items[i]);
}

static void make_one_after_the_other(Iut *iut, const Kernel *kernel, bool apart, unsigned rounds,
                                     Calls *calls)
{
  prepare(iut, kernel, apart, rounds, calls);
  for (unsigned i = 0; i < THREADS; ++i) make_those_of(iut, i, calls);
}

static void judge(Iut *iut, const Kernel *kernel, bool apart)
{
  enum { ATTEMPTS_MOST = 200 };
  static Calls stated, again, calls;
  if (kernel_cuda_chosen()) case_not_applicable("the function launches work on a device");
  require_right_call(iut, kernel);
  const unsigned rounds = count_rounds(iut, kernel);
  make_one_after_the_other(iut, kernel, apart, rounds, &stated);
  make_one_after_the_other(iut, kernel, apart, rounds, &again);
  if (count_others(&again, &stated, apart))
    case_not_applicable("as many calls after each other do not come to the same twice");
  drop_all(&again);
  kernel_program_note(stated.items[0]);
  note("when %d threads call %s %u times each with %s", THREADS, kernel->name, rounds,
       apart ? "objects of their own" : "one object");
  const double since = clock_seconds();
  // Short calls of several threads overlap now and then.
  for (unsigned i = 0; i < ATTEMPTS_MOST && !fences_are_scarce(); ++i) {
    if (i > 0 && clock_seconds() - since > 1) break;
    prepare(iut, kernel, apart, rounds, &calls);
    run_in_threads(iut, THREADS, make_those_of, &calls);
    const unsigned others = count_others(&calls, &stated, apart);
    if (!expect_that(others == 0, "each outcome is one of those of calls after each other",
                     "%u of %u are not", others, calls.count))
      return;
    drop_all(&calls);
  }
}

KERNEL_CASE(objects_of_several_threads, .clauses = {KER_40},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN, .lacks = lacks_object, .patience = 5,
            .title =
                "calls of several threads, each with an object of its own, come to what they "
                "come to one after the other")
{
  judge(iut, kernel, true);
}

KERNEL_CASE(objects_are_shared, .clauses = {KER_69},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN, .lacks = lacks_shared, .patience = 5,
            .title =
                "equal calls of several threads with one object come to what they come to "
                "one after the other")
{
  judge(iut, kernel, false);
}

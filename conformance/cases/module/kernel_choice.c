// SPDX-License-Identifier: Apache-2.0
// Calls that the signature file lists, and calls that are within it: each data type, size and rank,
// None and a value, each alternative.
#include <stdio.h>
#include <sys/resource.h>

#include "battery/access.h"
#include "kernel/kernel_battery.h"
#include "kernel/kernel_chosen.h"
#include "kernel/kernel_close.h"
#include "kernel/kernel_counts.h"
#include "kernel/kernel_expected.h"
#include "kernel/kernel_refused.h"
#include "kernel/kernel_stated.h"
#include "kernel/kernel_varied.h"
#include "plan/kernel_choice.h"
#include "plan/kernel_outside.h"
#include "plan/kernel_site.h"

CHAPTER(kernel);

enum {
  NEEDS_A_RUN = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN,
  LIMIT_MS = 8000,
  EXPLORED_MS = 1500,
  EXPLORED_WORK_SECONDS = 12,  // of processor time
  EXPLORED_WAIT_SECONDS = 25   // by the clock: calls that wait use no processor time
};

// The signature that the user has described the function by.
static const Signature *require_signature(const Kernel *kernel)
{
  const Signature *signature = signature_under_test();
  if (!signature || !kernel->chosen)
    case_not_applicable("no signature file describes it (--signatures)");
  return signature;
}

// --- Which calls can be made ---------------------------------------------------------------------

// Tensors on a device that is not there can be handed over, but not worked on.
static bool can_run(const Kernel *kernel)
{
  for (uint32_t i = 0; i < kernel->parameter_count + kernel->element_count; ++i) {
    const KernelParameter *parameter = i < kernel->parameter_count
                                           ? &kernel->parameters[i]
                                           : &kernel->elements[i - kernel->parameter_count];
    if (parameter->kind == KERNEL_TENSOR && parameter->device.device_type != kDLCPU &&
        !kernel->cuda)
      return false;
  }
  return true;
}

// Outcomes of more elements than these are compared for so long, and no others are of calls that nobody
// has listed: a formula takes its time.
enum { MANY_ELEMENTS = 1 << 22, MANY_SECONDS = 5 };

static bool returns_many(KernelCall *call)
{
  double count = 1;
  if (call->result->type_index != kTVMFFITensor) return false;
  const DLTensor *tensor = object_body(call->iut, call->result->v_obj);
  for (int32_t i = 0; i < tensor->ndim; ++i) count *= (double)tensor->shape[i];
  return count > MANY_ELEMENTS;
}

// NULL if it can't be made.
static Kernel *new_choice(const Kernel *kernel, const Signature *signature,
                          const KernelChoice *choice, char problem[KERNEL_PROBLEM_MAX])
{
  Kernel *made = malloc(sizeof *made);
  if (!made) case_inconclusive("no memory for a call");
  kernel_copy(made, kernel);
  if (!kernel_of_choice(signature, choice, made, problem)) {
    free(made);
    return NULL;
  }
  return made;
}

// --- What came of one ----------------------------------------------------------------------------

// What overflows, or is no number, comes out of an order of operations that no formula states.
static bool is_extreme(const Kernel *kernel, const KernelChoice *choice)
{
  if (choice->contents == KERNEL_SPECIAL) return true;
  for (uint32_t i = 0; choice->standing == KERNEL_EXPLORED && i < kernel->parameter_count; ++i) {
    const KernelParameter *parameter = &kernel->parameters[i];
    if (parameter->kind == KERNEL_FLOAT && !(parameter->number < 1e6 && parameter->number > -1e6))
      return true;
  }
  return false;
}

// Whether a call launched a kernel on the stand-in for CUDA, which writes no outputs.
static bool launched;

// `judged` counts what was compared with what is expected.
static bool judge_outcome(Iut *iut, KernelCall *call, const KernelChoice *choice, unsigned *judged)
{
  KernelCall *again = new_right_call(iut, call->kernel);
  bool good = expect_gaps_untouched(call);
  good &= expect_result_as_stated(call);
  refill_outputs(again);
  make_call(again);
  launched |= call->launched;
  if (!expect_served(again))
    good = false;
  else if (!call->launched)
    good &= expect_outputs_written(call, again);
  if (!is_extreme(call->kernel, choice)) {
    const KernelOutcome outcome = kernel_outcome_of(call);
    if (outcome.why[0]) note("%s", outcome.why);
    good &= outcome.wrong == 0;
    *judged = outcome.judged;
  }
  drop_outcome(again);
  return good;
}

static unsigned unanswered;  // calls that nobody listed, and that take longer

static bool comes_back(KernelCall *call, const KernelChoice *choice)
{
  const bool explored = choice->standing == KERNEL_EXPLORED;
  const CallEnd end = end_of_call_within(call, explored ? EXPLORED_MS : LIMIT_MS);
  // What was asked for may take its time.
  if (end == CALL_HANGS && explored) {
    ++unanswered;
    tried_settled_by("%s", choice->settle);
    return false;
  }
  if (end == CALL_RETURNS) return expect_that(true, "the call returns", "it does");
  tried_came_to(TRIED_NO_RETURN);
  expect_that(false, "the call returns",
              end == CALL_THROWS  ? "an exception leaves the function"
              : end == CALL_HANGS ? "it is still running after 8 seconds"
                                  : "it ends the process");
  return false;
}

// Whether the call has an end of the range of a number that the refused call sets, too, and not one that is listed.
static bool is_at_an_end(const Signature *signature, const Kernel *kernel, SignatureRange settings)
{
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    const KernelParameter *at = &kernel->parameters[i];
    const double value = at->kind == KERNEL_INT ? (double)at->integer : at->number;
    bool ends = (at->kind == KERNEL_INT || at->kind == KERNEL_FLOAT) &&
                ((at->has_least && value == at->least) || (at->has_most && value == at->most));
    const SignatureRange values = signature_type(signature, at->type)->values;
    for (uint32_t k = 0; ends && k < values.count; ++k) {
      const SignatureValue *listed = signature_value(signature, values.first + k);
      ends = value != (listed->kind == KERNEL_FLOAT ? listed->number : (double)listed->integer);
    }
    for (uint32_t k = 0; ends && k < settings.count; ++k) {
      const SignatureSetting *setting = signature_setting(signature, settings.first + k);
      if (strcmp(signature_text(signature, setting->name), at->name) == 0) return true;
    }
  }
  return false;
}

// Whether a number is at an end of its range, and the error is that of a listed call which sets it within all limits
// and is refused all the same: up to where that is so the file does not say.
static bool is_refused_like_another(const KernelCall *call)
{
  const Signature *signature = signature_under_test();
  const size_t most = signature->calls.count + signature->refusals.count;
  KernelRefused *refused = calloc(most + 1, sizeof *refused);
  Kernel *made = malloc(sizeof *made);
  char problem[KERNEL_PROBLEM_MAX];
  bool found = false;
  if (!refused || !made) case_inconclusive("no memory for the listed calls");
  const size_t count = kernel_refusals(signature, refused, most);
  for (size_t i = 0; i < count && !found; ++i) {
    const char *message = signature_text(signature, refused[i].message);
    kernel_copy(made, call->kernel);
    found = *message && is_at_an_end(signature, call->kernel, refused[i].choice.settings) &&
            kernel_error_is(call, signature_text(signature, refused[i].kind), message) &&
            kernel_of_choice(signature, &refused[i].choice, made, problem) &&
            kernel_outside(signature, made, NULL).count == 0;
  }
  free(made);
  free(refused);
  return found;
}

// Calls with so much to do may share it among threads, and be wrong now and then: those that are quick are made again
// for some time, all together for so long and with so many elements, since all of them stay in memory.
enum { SHARED_ELEMENTS = 1 << 17, ELEMENTS_AGAIN = 1 << 24 };
static const double QUICK_SECONDS = 0.25, AGAIN_SECONDS = 0.3, AGAIN_SECONDS_IN_ALL = 1.5;

typedef struct Again {
  double begin, ends;
  double elements;
} Again;

static double again_seconds, again_elements;

// `took` is how long the call took, and what was looked at of it.
static bool is_made_again(const Kernel *kernel, double took, Again *again)
{
  *again = (Again){clock_seconds(), clock_seconds() + AGAIN_SECONDS, kernel_elements(kernel)};
  return again->elements >= SHARED_ELEMENTS && took < QUICK_SECONDS;
}

static bool is_made_once_more(const Again *again)
{
  return clock_seconds() < again->ends && again_seconds < AGAIN_SECONDS_IN_ALL &&
         again_elements + again->elements < ELEMENTS_AGAIN && !fences_are_scarce();
}

static void was_made_again(Again *again)
{
  again_seconds += clock_seconds() - again->begin;
  again_elements += again->elements;
  again->begin = clock_seconds();
}

static bool judge_again(Iut *iut, const Kernel *kernel, const KernelChoice *choice, Again *of)
{
  bool right = true;
  while (right && is_made_once_more(of)) {
    unsigned judged = 0;
    KernelCall *again = new_right_call(iut, kernel);
    note_call(again, "with %s, once more: ", *choice->words ? choice->words : "the example");
    make_call(again);
    right = expect_served(again) && judge_outcome(iut, again, choice, &judged);
    drop_outcome(again);
    was_made_again(of);
  }
  return right;
}

// From then on no more of many elements are compared.
static double comparing_ends;

// True if the call was served. `returns`: it is known to come back.
static bool judge_choice(Iut *iut, KernelCall *call, const KernelChoice *choice, bool returns)
{
  const bool promised = choice->standing == KERNEL_PROMISED;
  note_call(call, choice->words[0] ? "with %s: " : "%s", choice->words);
  tried(promised ? TRIED_PROMISED : TRIED_EXPLORED, "%s",
        choice->words[0] ? choice->words : "the example");
  if (returns)
    expect_that(true, "the call returns", "it does");
  else if (!comes_back(call, choice))
    return false;
  make_call(call);
  if (call->returned != 0) {
    const bool listed = choice->call > 0 || !choice->words[0];
    const bool owed = promised && (listed || !is_refused_like_another(call));
    if (promised && !owed) tried(TRIED_EXPLORED, "%s", choice->words);
    tried_came_to(TRIED_REFUSED);
    if (owed) expect_served(call);
    if (!promised && choice->settle[0]) tried_settled_by("%s", choice->settle);
    drop_outcome(call);
    return false;
  }
  tried_came_to(TRIED_SERVED);
  if (returns_many(call) && (!promised || clock_seconds() > comparing_ends)) {
    drop_outcome(call);
    return true;
  }
  unsigned judged = 0;
  Again again;
  const double begin = clock_seconds();
  bool right = judge_outcome(iut, call, choice, &judged);
  if (right && promised && !call->launched &&
      is_made_again(call->kernel, clock_seconds() - begin, &again))
    right = judge_again(iut, call->kernel, choice, &again);
  tried_came_to(!right ? TRIED_WRONG : judged > 0 ? TRIED_RIGHT : TRIED_SERVED);
  drop_outcome(call);
  return true;
}

// The processor time of this process and of the copies of it that made calls, in seconds.
static double work_seconds(void)
{
  double seconds = 0;
  const int whose[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
  for (size_t i = 0; i < sizeof whose / sizeof *whose; ++i) {
    struct rusage usage;
    if (getrusage(whose[i], &usage) != 0) continue;
    seconds += (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
               1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  }
  return seconds;
}

// Calls that are tried together in one copy of the process, before each is judged: a copy for each
// takes longer than most calls. They are more while they are quick.
enum { BATCH_MAX = 16 };
static const double BATCH_SECONDS = 0.1;

typedef struct Batch {
  unsigned size, count;  // how many it is to have, and has
  KernelCall *calls[BATCH_MAX];
  const KernelChoice *choices[BATCH_MAX];
} Batch;

// Where one of them does not come back, each is tried by itself. Returns how many were served.
static unsigned judge_batch(Iut *iut, Batch *batch)
{
  const double begin = clock_seconds();
  unsigned served = 0;
  if (batch->count == 0) return 0;
  const bool explored = batch->choices[0]->standing == KERNEL_EXPLORED;
  const bool return_all =
      batch->count > 1 &&
      calls_return_within(batch->calls, batch->count, explored ? EXPLORED_MS : LIMIT_MS);
  for (unsigned i = 0; i < batch->count; ++i)
    served += judge_choice(iut, batch->calls[i], batch->choices[i], return_all);
  const bool quick = clock_seconds() - begin < BATCH_SECONDS;
  batch->size = !quick || (batch->count > 1 && !return_all) ? 1 : batch->size * 2;
  if (batch->size > BATCH_MAX) batch->size = BATCH_MAX;
  batch->count = 0;
  return served;
}

// Those for which no time was left: the report says so.
static void tell_left(TriedPromise promise, size_t left)
{
  if (left == 0) return;
  tried(promise, "%zu more calls", left);
  tried_came_to(TRIED_NOT_MADE);
}

// Runs those of one standing; returns how many were served.
static unsigned judge_choices(Iut *iut, const Kernel *kernel, KernelStanding standing)
{
  const Signature *signature = require_signature(kernel);
  KernelChoice *choices = calloc(KERNEL_CHOICES_MAX, sizeof *choices);
  if (!choices) case_inconclusive("no memory for the choices");
  const size_t count = kernel_chosen(signature, choices);
  char impossible[KERNEL_PROBLEM_MAX + sizeof choices->words + 2] = "", problem[KERNEL_PROBLEM_MAX];
  unsigned served = 0, possible = 0;
  Batch batch = {.size = 1};
  const double work = work_seconds() + EXPLORED_WORK_SECONDS;
  const double end = clock_seconds() + EXPLORED_WAIT_SECONDS;
  size_t left = 0;
  unanswered = 0;
  comparing_ends = clock_seconds() + MANY_SECONDS;
  if (count == 0) case_inconclusive("no call satisfies the signature");
  for (size_t i = 0; i < count; ++i) {
    if (choices[i].standing != standing) continue;
    // What nobody has listed is left out before the case runs out of time, or of guarded buffers.
    if (standing == KERNEL_EXPLORED &&
        (work_seconds() > work || clock_seconds() > end || fences_are_scarce())) {
      ++left;
      continue;
    }
    Kernel *made = new_choice(kernel, signature, &choices[i], problem);
    if (!made) snprintf(impossible, sizeof impossible, "%s: %s", choices[i].words, problem);
    if (!made || !can_run(made)) continue;
    if (standing == KERNEL_EXPLORED && kernel_elements(made) > MANY_ELEMENTS) {
      ++left;
      continue;
    }
    ++possible;
    batch.calls[batch.count] = new_right_call(iut, made);
    batch.choices[batch.count++] = &choices[i];
    if (batch.count == batch.size) served += judge_batch(iut, &batch);
  }
  served += judge_batch(iut, &batch);
  free(choices);
  tell_left(TRIED_EXPLORED, left);
  if (impossible[0]) case_inconclusive("%s", impossible);
  if (possible == 0) case_not_applicable("its signature leaves no such call");
  if (launched)
    case_not_applicable("kernels are launched on the stand-in for CUDA, which computes nothing");
  if (unanswered == possible)
    case_inconclusive("each call takes longer than %.1f s", EXPLORED_MS / 1000.0);
  return served;
}

// Of an example that was made and refused nobody promises that it is served: the report says so.
static void say_what_was_refused(const Kernel *kernel)
{
  const Signature *signature = signature_under_test();
  if (!signature || !kernel->chosen ||
      !signature_form(signature, kernel->form)->example_was_refused)
    return;
  tried(TRIED_EXPLORED, "the example that was made");
  tried_came_to(TRIED_REFUSED);
  tried_settled_by("\"example\": \"calls\", or values with which the example is served");
}

KERNEL_CASE(choice_is_served, .clauses = {KER_8, KER_10, KER_32, KER_53}, .needs = NEEDS_A_RUN,
            .patience = 10,
            .title = "each call that the signature file lists is served, and gives what it says")
{
  say_what_was_refused(kernel);
  judge_choices(iut, kernel, KERNEL_PROMISED);
}

KERNEL_CASE(choice_is_explored, .clauses = {KER_52}, .needs = NEEDS_A_RUN, .patience = 20,
            .explores = true,
            .title = "a call within the signature file returns, and is right if it is served")
{
  judge_choices(iut, kernel, KERNEL_EXPLORED);
}

// --- What the file promises of each call --------------------------------------------------------

typedef void LookAtPromised(Iut *iut, const Kernel *made, KernelCall *call, void *context);

// Makes each call that the file lists, as far as there is time; those that are refused are for another case. Returns
// whether there was time for all.
static bool for_each_promised(Iut *iut, const Kernel *kernel, double seconds, LookAtPromised *look,
                              void *context)
{
  const Signature *signature = require_signature(kernel);
  KernelChoice *choices = calloc(KERNEL_CHOICES_MAX, sizeof *choices);
  if (!choices) case_inconclusive("no memory for the choices");
  const size_t count = kernel_chosen(signature, choices);
  char problem[KERNEL_PROBLEM_MAX];
  size_t left = 0;
  for (size_t i = 0; i < count; ++i) {
    if (choices[i].standing != KERNEL_PROMISED) continue;
    if (!clock_leaves(seconds) && i > 0) {
      ++left;
      continue;
    }
    Kernel *made = new_choice(kernel, signature, &choices[i], problem);
    if (!made || !can_run(made)) continue;
    KernelCall *call = new_right_call(iut, made);
    note_call(call, choices[i].words[0] ? "with %s: " : "%s", choices[i].words);
    if (end_of_call_within(call, LIMIT_MS) != CALL_RETURNS) continue;
    make_call(call);
    if (call->returned == 0) look(iut, made, call, context);
    drop_outcome(call);
  }
  free(choices);
  tell_left(TRIED_PROMISED, left);
  return left == 0;
}

static void require_judged(unsigned judged, bool all, const char *lack)
{
  if (judged == 0)
    case_not_applicable("%s%s", all ? "" : "of the listed calls that there was time for: ", lack);
}

static void look_at_second(Iut *iut, const Kernel *made, KernelCall *call, void *context)
{
  const double begin = clock_seconds();
  Again again;
  (void)context;
  KernelCall *second = new_right_call(iut, made);
  make_call(second);
  bool same = expect_same_again(second, call);
  drop_outcome(second);
  if (!is_made_again(made, clock_seconds() - begin, &again)) return;
  while (same && is_made_once_more(&again)) {
    KernelCall *next = new_right_call(iut, made);
    make_call(next);
    same = expect_same_again(next, call);
    drop_outcome(next);
    was_made_again(&again);
  }
}

static const char *lacks_repeatable(const CaseInstance *instance)
{
  return kernel_lacks_promise(instance, SIGNATURE_REPEATABLE);
}

KERNEL_CASE(repeatable, .clauses = {KER_63}, .needs = NEEDS_A_RUN, .lacks = lacks_repeatable,
            .patience = 10, .title = "equal calls come to the same, bit for bit")
{
  for_each_promised(iut, kernel, 16, look_at_second, NULL);
}

// What an object that the call is about keeps is its own affair.
static bool is_to_be_left(const KernelCall *call, unsigned position)
{
  const KernelParameter *parameter = &call->kernel->parameters[position];
  return !parameter->retained && parameter->kind != KERNEL_OBJECT;
}

static void look_at_counts(Iut *iut, const Kernel *made, KernelCall *call, void *context)
{
  unsigned *judged = context;
  KernelCounts counts;
  if (call->kept) return;
  KernelCall *again = new_right_call(iut, made);
  kernel_counts_take(again, is_to_be_left, true, &counts);
  make_call(again);
  const bool served = again->returned == 0;
  drop_outcome(again);
  if (!served) return;
  expect_counts_stay(again, &counts, 0);
  *judged += counts.count;
}

KERNEL_CASE(other_calls_keep_no_argument, .clauses = {KER_34}, .needs = NEEDS_A_RUN, .patience = 5,
            .title =
                "a call that the signature file lists does not change the reference counts of "
                "its arguments")
{
  unsigned judged = 0;
  const bool all = for_each_promised(iut, kernel, 8, look_at_counts, &judged);
  require_judged(judged, all, "none of its arguments is an object");
}

// Called again, a call may be refused: nothing is told then. A pointer is its caller's to release, and an object that the
// call is about may keep what each of them brings.
static void look_for_leaks_of(Iut *iut, const Kernel *made, KernelCall *call, void *context)
{
  enum { TIMES = 200, CALLS_MOST = 16, SECONDS_LEFT = 2, TRIES = 5 };
  const double longest = 0.001;
  unsigned *judged = context;
  if (*judged == CALLS_MOST || call->kept || call->result->type_index == kTVMFFIOpaquePtr ||
      !clock_leaves(SECONDS_LEFT))
    return;
  KernelCall *again = new_right_call(iut, made);
  bool short_one = false;
  // On a busy machine another process may come between.
  for (int i = 0; !short_one && i < TRIES; ++i) {
    const double since = clock_seconds();
    make_call(again);
    short_one = again->returned == 0 && clock_seconds() - since <= longest;
    drop_outcome(again);
  }
  if (!short_one) return;
  expect_no_heap_growth(iut, TIMES, kernel_call_again, again);
  ++*judged;
}

KERNEL_CASE(
    other_calls_leak_nothing, .clauses = {KER_35}, .needs = NEEDS_A_RUN, .patience = 5,
    .title = "a short call that the signature file lists does not leak memory when it is repeated")
{
  unsigned judged = 0;
  const bool all = for_each_promised(iut, kernel, 8, look_for_leaks_of, &judged);
  require_judged(judged, all, "it lists no call that is short, and returns no pointer");
}

static void look_at_memory_of(Iut *iut, const Kernel *made, KernelCall *call, void *compared)
{
  (void)iut, (void)made;
  expect_result_is_fresh(call, compared);
}

static const char *lacks_fresh_result(const CaseInstance *instance)
{
  return kernel_lacks_promise(instance, SIGNATURE_FRESH);
}

KERNEL_CASE(fresh_result, .clauses = {KER_64}, .needs = NEEDS_A_RUN, .lacks = lacks_fresh_result,
            .patience = 10, .title = "what is returned shares no memory with arguments")
{
  unsigned compared = 0;
  const bool all = for_each_promised(iut, kernel, 16, look_at_memory_of, &compared);
  require_judged(compared, all, "no call has tensors among its arguments and its results");
}

// --- Data that changes ---------------------------------------------------------------------------

KERNEL_CASE(call_uses_its_own_data, .clauses = {KER_54}, .needs = NEEDS_A_RUN | KERNEL_NEEDS_TENSOR,
            .title = "a second call with other data at the same addresses gives what belongs to it")
{
  static Kernel other;
  kernel_require_no_object(kernel);
  require_right_call(iut, kernel);
  if (!kernel_with_other_data(kernel, &other))
    case_not_applicable("its tensors can hold nothing else");
  KernelCall *fresh = new_right_call(iut, &other);
  note_call(fresh, "with other data, at other addresses: ");
  make_call(fresh);
  if (fresh->returned != 0) case_not_applicable("other data is refused: %s", fresh->error_text);
  KernelCall *first = new_right_call(iut, kernel);
  make_call(first);
  if (!expect_served(first)) return;
  drop_outcome(first);
  if (!replace_inputs(first, fresh)) case_not_applicable("its tensors cannot be filled again");
  note_call(first, "with other data, at the same addresses: ");
  make_call(first);
  expect_same_outcome(first, fresh);
}

// Has the tensor's elements stand in the opposite order. False if they are not numbers that may, or all alike.
static bool turn_around(KernelTensor *tensor, DLDataType dtype)
{
  const bool numbers = dtype.code == kDLFloat || dtype.code == kDLBfloat ||
                       ((dtype.code == kDLInt || dtype.code == kDLUInt) && dtype.bits == 8);
  const size_t width = tensor->element_bits / 8, size = tensor->count * width;
  if (!numbers || !tensor->memory || !tensor->on_host || !kernel_role_is_read(tensor->role) ||
      tensor->element_bits % 8 != 0 || tensor->count < 2 || tensor->memory_size < size)
    return false;
  unsigned char *bytes = malloc(tensor->memory_size);
  if (!bytes) case_inconclusive("no memory for the elements");
  memcpy(bytes, tensor->before, tensor->memory_size);
  const size_t first = (size_t)(tensor->first - tensor->memory);
  for (size_t i = 0; first + size <= tensor->memory_size && i < tensor->count; ++i)
    memcpy(bytes + first + i * width, tensor->before + first + (tensor->count - 1 - i) * width,
           width);
  const bool other = memcmp(bytes, tensor->before, tensor->memory_size) != 0;
  if (other) kernel_tensor_replace(tensor, bytes);
  free(bytes);
  return other;
}

static bool turn_inputs_around(KernelCall *call)
{
  bool any = false;
  for (uint32_t i = 0; i < kernel_place_count(call->kernel); ++i) {
    const KernelParameter *at = kernel_place_of(call->kernel, i);
    const unsigned tensor = i < call->kernel->parameter_count
                                ? i
                                : KERNEL_PARAMETERS_MAX + i - call->kernel->parameter_count;
    if (at->kind == KERNEL_TENSOR && at->typed)
      any |= turn_around(kernel_call_tensor(call, tensor), at->dtype);
  }
  return any;
}

static void look_at_own_data(Iut *iut, const Kernel *made, KernelCall *call, void *context)
{
  enum { CALLS_MOST = 24, SECONDS_LEFT = 2 };
  unsigned *judged = context;
  if (*judged == CALLS_MOST || call->kept || fences_are_scarce() || !clock_leaves(SECONDS_LEFT))
    return;
  KernelCall *fresh = new_right_call(iut, made), *control = new_right_call(iut, made),
             *again = new_right_call(iut, made);
  char difference[KERNEL_DIFFERENCE_MAX];
  if (!turn_inputs_around(fresh) || !turn_inputs_around(control) ||
      end_of_call_within(fresh, LIMIT_MS) != CALL_RETURNS)
    return;
  make_call(fresh);
  make_call(control);
  make_call(again);
  // What is drawn, or summed in another order each time, tells nothing.
  const bool steady = fresh->returned == 0 && control->returned == 0 && again->returned == 0 &&
                      kernel_is_close(control, fresh, difference);
  drop_outcome(control);
  drop_outcome(again);
  if (steady && replace_inputs(again, fresh)) {
    make_call(again);
    note_call(again, "with the elements in the opposite order, at the addresses of other ones: ");
    const bool same = again->returned == 0 && kernel_is_close(again, fresh, difference);
    expect_that(same, "it gives what it gives at addresses of its own", "%s",
                again->returned ? again->error_text : difference);
    ++*judged;
    drop_outcome(again);
  }
  drop_outcome(fresh);
}

KERNEL_CASE(other_calls_use_their_own_data, .clauses = {KER_54},
            .needs = NEEDS_A_RUN | KERNEL_NEEDS_TENSOR, .patience = 5,
            .title = "listed calls with other data at the same addresses give what belongs to it")
{
  unsigned judged = 0;
  kernel_require_no_object(kernel);
  const bool all = for_each_promised(iut, kernel, 8, look_at_own_data, &judged);
  require_judged(judged, all, "no listed call has tensors that may hold other data");
}

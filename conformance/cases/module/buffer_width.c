// SPDX-License-Identifier: Apache-2.0
// Whole numbers that a function keeps within limits are numbers to it: of 32 and of 64 bits they come
// to the same.
#include <stdlib.h>

#include "battery/faults_fence.h"
#include "kernel/kernel_apart.h"
#include "kernel/kernel_battery.h"
#include "kernel/kernel_close.h"
#include "kernel/kernel_cuda.h"
#include "kernel/kernel_element.h"

CHAPTER(buffer);

enum { FILL = 0 };

static bool has_widths(const KernelParameter *parameter)
{
  const DLDataType dtype = parameter->dtype;
  return parameter->kind == KERNEL_TENSOR && parameter->typed &&
         parameter->device.device_type == kDLCPU && dtype.lanes == 1 &&
         (dtype.code == kDLInt || dtype.code == kDLUInt) && (dtype.bits == 32 || dtype.bits == 64);
}

// The call with 1 and 0 in turn as elements: those of the example may all be the same.
static void take_turns(KernelParameter *parameter)
{
  parameter->contents = KERNEL_RISING;
  parameter->value_count = 2;
  parameter->values[0] = 1;
  parameter->values[1] = 0;
}

// Whether the call is refused for numbers that are far out of any range.
static bool keeps_limits(Iut *iut, const Kernel *kernel, unsigned position, ApartOutcome *outcome)
{
  Kernel *far = kernel_new_copy(kernel);
  KernelParameter *parameter = &far->parameters[position];
  parameter->contents = KERNEL_RISING;
  parameter->value_count = 1;
  parameter->values[0] = 1e9;
  const bool refused = kernel_apart_call(iut, NULL, far, FILL, outcome) == APART_REFUSED;
  free(far);
  return refused;
}

// Whether both hold the same number of elements, of the same types.
static bool has_same_form(const ApartOutcome *a, const ApartOutcome *b)
{
  bool same = a->count == b->count && a->used == b->used;
  for (uint32_t i = 0; same && i < a->count; ++i)
    same = a->parts[i].size == b->parts[i].size && a->parts[i].width == b->parts[i].width &&
           a->parts[i].dtype.code == b->parts[i].dtype.code;
  return same;
}

// The call with floats that do not rise: rows that do may all come to the same. False if all rise by right.
static bool take_spread_floats(Kernel *kernel)
{
  bool any = false;
  for (uint32_t i = 0; i < kernel->parameter_count; ++i) {
    KernelParameter *at = &kernel->parameters[i];
    const bool floats = at->dtype.code == kDLFloat || at->dtype.code == kDLBfloat;
    if (at->kind != KERNEL_TENSOR || !at->typed || !floats || at->value_count > 0 ||
        at->contents != KERNEL_RISING)
      continue;
    at->contents = KERNEL_SPREAD;
    at->seed += i + 1;
    any = true;
  }
  return any;
}

// Judges one tensor, with 1 and 0 as its elements if `turns`; true if calls with either width were served,
// and comparable.
static bool judge_with(Iut *iut, const Kernel *kernel, unsigned position, bool turns,
                       ApartOutcome outcomes[3])
{
  ApartOutcome *own = &outcomes[0], *again = &outcomes[1], *wide = &outcomes[2];
  char difference[160] = "", name[64];
  Kernel *one = kernel_new_copy(kernel);
  KernelParameter *parameter = &one->parameters[position];
  // What it holds afterwards is of another type by right.
  parameter->role = KERNEL_IN;
  if (turns) take_turns(parameter);
  Kernel *other = kernel_new_copy(one);
  other->parameters[position].dtype.bits = (uint8_t)(96 - parameter->dtype.bits);
  const bool served = kernel_apart_call(iut, NULL, one, FILL, own) == APART_SERVED &&
                      kernel_apart_call(iut, NULL, one, FILL, again) == APART_SERVED &&
                      kernel_apart_close(own, again, difference);
  if (!served || kernel_apart_call(iut, NULL, other, FILL, wide) != APART_SERVED ||
      !has_same_form(own, wide) || !keeps_limits(iut, one, position, again) ||
      !keeps_limits(iut, other, position, again))
    return false;
  const bool same = kernel_apart_close(wide, own, difference);
  if (!same)
    note_call(new_right_call(iut, other),
              "with %s of %u bits: ", parameter_name(kernel, position, name),
              other->parameters[position].dtype.bits);
  expect_that(same, "the same comes out for numbers of 32 and of 64 bits", "%s", difference);
  return true;
}

// Elements of the example that rise may fit in one width only, if they are read wrongly.
static bool judge(Iut *iut, const Kernel *kernel, unsigned position, ApartOutcome outcomes[3])
{
  const bool few = kernel->parameters[position].value_count > 0;
  return judge_with(iut, kernel, position, few, outcomes) ||
         (!few && judge_with(iut, kernel, position, true, outcomes));
}

KERNEL_CASE(indices_of_either_width, .clauses = {BUF_22},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN | KERNEL_NEEDS_TENSOR, .patience = 3,
            .explores = true,
            .title = "integers within limits come to the same in 32 and in 64 bits")
{
  if (kernel_cuda_chosen() || faults_obstacle)
    case_not_applicable("a copy of the process cannot make the call");
  ApartOutcome *outcomes = kernel_apart_outcomes(3);
  Kernel *spread = kernel_new_copy(kernel);
  const bool differs = take_spread_floats(spread);
  unsigned judged = 0;
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    if (!has_widths(&kernel->parameters[i])) continue;
    judged += judge(iut, kernel, i, outcomes);
    if (differs) judged += judge(iut, spread, i, outcomes);
  }
  if (judged == 0)
    case_not_applicable("it takes no integers of both 32 and 64 bits that it keeps within limits");
}

// --- Numbers beyond 32 bits ----------------------------------------------------------------------

// Judges integers of 64 bits that are those within the limits but for the upper 32 bits; true if it
// could.
static bool judge_cut(Iut *iut, const Kernel *kernel, unsigned position, ApartOutcome outcomes[2])
{
  char name[64], difference[160];
  Kernel *within = kernel_new_copy(kernel);
  KernelParameter *at = &within->parameters[position];
  at->role = KERNEL_IN;
  at->dtype.bits = 64;
  take_turns(at);
  if (kernel_apart_call(iut, NULL, within, FILL, &outcomes[0]) != APART_SERVED ||
      !keeps_limits(iut, within, position, &outcomes[1]))
    return false;
  Kernel *beyond = kernel_new_copy(within);
  for (uint32_t i = 0; i < at->value_count; ++i)
    beyond->parameters[position].values[i] += 4294967296.0;
  const bool cut = kernel_apart_call(iut, NULL, beyond, FILL, &outcomes[1]) == APART_SERVED &&
                   kernel_apart_close(&outcomes[1], &outcomes[0], difference);
  if (cut)
    note_call(new_right_call(iut, beyond),
              "with 2^32 more in %s: ", parameter_name(kernel, position, name));
  expect_that(!cut, "it is refused, as other numbers out of range are, or gives something else",
              "the same as without the upper 32 bits");
  return true;
}

// Own: the elements of the call, each so much larger. NULL if they are no numbers.
static int64_t *new_elements(Iut *iut, const Kernel *kernel, unsigned position, int64_t larger)
{
  const KernelTensor *tensor = &new_right_call(iut, kernel)->tensors[position];
  const DLDataType dtype = kernel->parameters[position].dtype;
  const size_t width = tensor->element_bits / 8;
  if (!tensor->on_host || !kernel_role_is_read(tensor->role) || tensor->count == 0) return NULL;
  unsigned char *bytes = calloc(tensor->count, width);
  int64_t *elements = calloc(tensor->count, sizeof *elements);
  if (!bytes || !elements) case_inconclusive("no memory for the elements");
  kernel_tensor_gather(tensor, bytes);
  for (size_t i = 0; i < tensor->count; ++i) {
    long double number = 0;
    kernel_element_number(bytes, (int64_t)(i * tensor->element_bits), dtype, &number);
    elements[i] = (int64_t)number + larger;
  }
  free(bytes);
  return elements;
}

// The call with its own elements, so much larger, in 64 bits, made; NULL if that does not come back.
static KernelCall *call_with_larger(Iut *iut, const Kernel *wide, const Kernel *kernel,
                                    unsigned position, int64_t larger)
{
  enum { LIMIT_MS = 1000 };
  char name[64];
  int64_t *elements = new_elements(iut, kernel, position, larger);
  if (!elements) return NULL;
  KernelCall *call = new_right_call(iut, wide);
  call_with_tensor(call, position, &(TensorForm){.elements = (const unsigned char *)elements});
  free(elements);
  if (end_of_call_within(call, LIMIT_MS) != CALL_RETURNS) return NULL;
  note_call(call, "with %lld more for each element of %s: ", (long long)larger,
            parameter_name(kernel, position, name));
  make_call(call);
  return call;
}

// The call with 64 bits for the integers at a place, or for all of the same type. A call borrows its kernel.
static Kernel *new_wide(const Kernel *kernel, unsigned position, bool all)
{
  const DLDataType own = kernel->parameters[position].dtype;
  Kernel *wide = kernel_new_copy(kernel);
  // What it holds afterwards differs by right.
  wide->parameters[position].role = KERNEL_IN;
  for (unsigned i = 0; i < wide->parameter_count; ++i) {
    KernelParameter *at = &wide->parameters[i];
    const bool same = all && has_widths(at) && kernel_is_same_dtype(at->dtype, own);
    if (i == position || same) at->dtype.bits = 64;
  }
  return wide;
}

// The same for the elements that the call has, where 1 and 0 are not right.
static bool judge_own_cut(Iut *iut, const Kernel *kernel, unsigned position, bool all)
{
  char difference[KERNEL_DIFFERENCE_MAX];
  const Kernel *wide = new_wide(kernel, position, all);
  KernelCall *within = call_with_larger(iut, wide, kernel, position, 0);
  KernelCall *far = call_with_larger(iut, wide, kernel, position, 1000000000);
  if (!within || within->returned != 0 || !far || far->returned == 0) return false;
  KernelCall *beyond = call_with_larger(iut, wide, kernel, position, 4294967296);
  if (!beyond) return false;
  const bool cut = beyond->returned == 0 && kernel_is_close(beyond, within, difference);
  expect_that(!cut, "it is refused, as other numbers out of range are, or gives something else",
              "the same as without the upper 32 bits");
  return true;
}

KERNEL_CASE(indices_are_not_cut, .clauses = {BUF_22},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN | KERNEL_NEEDS_TENSOR, .patience = 2,
            .explores = true,
            .title = "integers of 64 bits that are out of range are not cut to 32 bits")
{
  if (kernel_cuda_chosen() || faults_obstacle)
    case_not_applicable("a copy of the process cannot make the call");
  ApartOutcome *outcomes = kernel_apart_outcomes(2);
  unsigned judged = 0;
  for (unsigned i = 0; i < kernel->parameter_count; ++i)
    if (has_widths(&kernel->parameters[i]))
      judged += judge_cut(iut, kernel, i, outcomes) || judge_own_cut(iut, kernel, i, false) ||
                judge_own_cut(iut, kernel, i, true);
  if (judged == 0)
    case_not_applicable("it takes no integers of 64 bits that it keeps within limits");
}

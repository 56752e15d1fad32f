// SPDX-License-Identifier: Apache-2.0
// What can only be seen where the tensors are on a real device (--device).
#include <stdio.h>

#include "kernel/kernel_battery.h"
#include "kernel/kernel_cuda.h"

CHAPTER(kernel);

enum { NEEDS_A_DEVICE = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN | KERNEL_NEEDS_DEVICE };

// Whether work that is not ordered by the stream leaves something else in the outputs than right
// work: it is done before the outputs are filled, or finds zeros in the place of this input.
static bool tells_the_order(const KernelTensor *tensor)
{
  if (!tensor->on_device || tensor->count == 0) return false;
  if (tensor->role == KERNEL_OUT) return true;
  for (size_t i = 0; i < tensor->memory_size; ++i)
    if (tensor->before[i] != 0) return true;
  return false;
}

KERNEL_CASE(device_work_follows_the_stream, .clauses = {KER_44}, .needs = NEEDS_A_DEVICE,
            .title = "work on a real device waits for earlier work on the caller's stream")
{
  unsigned telling = 0;
  KernelCall *right = require_right_call(iut, kernel), *call = new_right_call(iut, kernel);
  for (unsigned i = 0; i < kernel->parameter_count; ++i)
    telling += tells_the_order(&call->tensors[i]);
  if (telling == 0) case_not_applicable("nothing of its tensors tells the order of its work");
  call->inputs_late = true;
  note_call(call, "with tensors that get their elements on the stream, and late: ");
  make_call(call);
  expect_same_outcome(call, right);
}

// --- Memory of the device ------------------------------------------------------------------------

enum { ROUNDS = 4, CALLS = 4096, TRIES = 3 };  // the least that drivers tell is some megabytes

static size_t free_after_a_round(KernelCall *call)
{
  for (unsigned i = 0; i < CALLS && call->returned == 0; ++i) {
    kernel_call_function(call, NULL, call->result);
    if (call->returned == 0) drop_outcome(call);
  }
  leave_device(call);
  return kernel_cuda_free_memory();
}

typedef enum Trend { STEADY, SHRINKS, UNSTEADY } Trend;

// How the free memory of the device goes from round to round. Others use the device, too: a loss is
// taken for a leak only if it is much the same in each round, in `least` bytes at the least.
static Trend trend_of(KernelCall *call, size_t *least)
{
  size_t before = free_after_a_round(call), most = 0;
  bool gains = false;
  *least = SIZE_MAX;
  for (unsigned i = 0; i < ROUNDS; ++i) {
    size_t now = free_after_a_round(call), loss = before > now ? before - now : 0;
    gains |= now > before;
    if (loss < *least) *least = loss;
    if (loss > most) most = loss;
    before = now;
  }
  if (most == 0) return gains ? UNSTEADY : STEADY;
  return *least > 0 && *least >= most / 2 ? SHRINKS : UNSTEADY;
}

KERNEL_CASE(good_call_keeps_no_device_memory, .clauses = {KER_45}, .needs = NEEDS_A_DEVICE,
            .patience = 10, .title = "4,096 valid calls do not leak memory of a real device")
{
  KernelCall *call = require_right_call(iut, kernel);
  drop_outcome(call);
  note_call(call, "4,096 times ");
  if (kernel_cuda_free_memory() == 0) case_inconclusive("the driver does not tell what is free");
  size_t loss = 0;
  Trend trend = trend_of(call, &loss);
  if (trend == SHRINKS) trend = trend_of(call, &loss);
  for (unsigned i = 0; i < TRIES && trend == UNSTEADY; ++i) trend = trend_of(call, &loss);
  if (!expect_served(call)) return;
  if (trend == UNSTEADY)
    case_inconclusive("others use the device: its free memory goes up and down between calls");
  expect_no_leak(trend == STEADY,
                 "the free memory of the device does not shrink from round to round",
                 "%zu bytes less after each", loss);
}

// SPDX-License-Identifier: Apache-2.0
// Calls in several threads, each with arguments of its own.
#include <pthread.h>
#include <stdio.h>

#include "kernel/kernel_battery.h"
#include "kernel/kernel_program.h"

CHAPTER(kernel);

enum { NEEDS_A_RUN = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN, THREADS = 8, ROUNDS = 50 };

typedef struct Team {
  KernelCall *calls[THREADS];
  unsigned rounds;
} Team;

// Fences are made before the threads begin.
static KernelCall *new_prepared_call(Iut *iut, const Kernel *kernel)
{
  KernelCall *call = new_right_call(iut, kernel);
  call->args = fenced_args(call->values, (size_t)call->value_count);
  call->result = fenced_result();
  return call;
}

// The call as it was prepared, in the thread that it is made in.
static void call_here(KernelCall *call)
{
  for (unsigned i = 0; i < call->kernel->parameter_count; ++i)
    kernel_tensor_reset(&call->tensors[i]);
  *call->result = call->result_before;
  enter_device(call);
  call->returned = call->function(NULL, call->args, call->num_args, call->result);
  leave_device(call);
  call->error = take_error(call->iut);
  if (call->error) snprintf(call->error_text, sizeof call->error_text, "an error is raised");
}

static void call_over_and_over(Iut *iut, unsigned index, void *context)
{
  (void)iut;
  Team *team = context;
  KernelCall *call = team->calls[index];
  call_here(call);
  for (unsigned i = 1; i < team->rounds && call->returned == 0; ++i) {
    drop_outcome(call);
    call_here(call);
  }
}

static void run_team(Iut *iut, Team *team, const Kernel *kernel, unsigned count, unsigned rounds)
{
  team->rounds = rounds;
  for (unsigned i = 0; i < count; ++i) team->calls[i] = new_prepared_call(iut, kernel);
  kernel_program_note(team->calls[0]);
  run_in_threads(iut, count, call_over_and_over, team);
}

KERNEL_CASE(first_call_in_many_threads, .clauses = {KER_39}, .wrong_call = true,
            .needs = NEEDS_A_RUN, .patience = 5,
            .title = "8 threads that make the first call at once get the same as a single thread")
{
  Team team;
  unsigned served = 0;
  note("when 8 threads make the first call of %s at once", kernel->name);
  run_team(iut, &team, kernel, THREADS, 1);
  for (unsigned i = 0; i < THREADS; ++i) served += team.calls[i]->returned == 0;
  if (served == 0) case_not_applicable("the right call is refused, in one thread or in many");
  KernelCall *right = new_right_call(iut, kernel);
  make_call(right);
  note("when 8 threads make the first call of %s at once", kernel->name);
  require(expect_served(right));
  for (unsigned i = 0; i < THREADS; ++i) expect_same_outcome(team.calls[i], right);
}

// Each thread has elements of its own in its inputs: those of another would be noticed.
static void set_apart(KernelCall *call, unsigned index)
{
  for (unsigned i = 0; i < call->kernel->parameter_count; ++i) {
    KernelParameter own = call->kernel->parameters[i];
    // Whole numbers may be indices, for which not any number is right.
    bool floats = own.dtype.code == kDLFloat || own.dtype.code == kDLBfloat;
    if (own.kind != KERNEL_TENSOR || !own.typed || own.role == KERNEL_OUT || !floats) continue;
    own.number += index;
    call->tensors[i] = new_kernel_tensor(call->iut, &own, NULL);
    call->values[i] = kernel_tensor_value(&call->tensors[i]);
  }
  call->args = fenced_args(call->values, (size_t)call->value_count);
}

typedef struct Lane {
  KernelCall *alone, *call;
  bool same;
} Lane;

static bool has_same_outputs(KernelCall *seen, KernelCall *expected)
{
  for (unsigned i = 0; i < seen->kernel->parameter_count; ++i) {
    const KernelTensor *tensor = &seen->tensors[i], *other = &expected->tensors[i];
    if (tensor->memory && tensor->role != KERNEL_IN &&
        memcmp(tensor->first, other->first, kernel_tensor_gather(tensor, NULL)) != 0)
      return false;
  }
  return true;
}

static void call_in_lane(Iut *iut, unsigned index, void *context)
{
  (void)iut;
  Lane *lane = (Lane *)context + index;
  for (unsigned i = 0; i < ROUNDS && lane->same; ++i) {
    if (i) drop_outcome(lane->call);
    call_here(lane->call);
    lane->same = lane->call->returned == 0 && !lane->call->device_error[0] &&
                 has_same_outputs(lane->call, lane->alone);
  }
}

KERNEL_CASE(calls_at_the_same_time, .clauses = {KER_40}, .wrong_call = true, .needs = NEEDS_A_RUN,
            .patience = 5,
            .title = "50 valid calls in each of 8 threads give the same as in a single thread")
{
  Lane lanes[THREADS];
  require_right_call(iut, kernel);
  for (unsigned i = 0; i < THREADS; ++i) {
    lanes[i] = (Lane){new_prepared_call(iut, kernel), new_prepared_call(iut, kernel), true};
    set_apart(lanes[i].alone, i);
    set_apart(lanes[i].call, i);
    call_here(lanes[i].alone);
    if (lanes[i].alone->returned != 0)
      case_not_applicable("it does not serve the example with other elements");
  }
  note("when 8 threads call %s at the same time", kernel->name);
  kernel_program_note(lanes[0].call);
  run_in_threads(iut, THREADS, call_in_lane, lanes);
  for (unsigned i = 0; i < THREADS; ++i) expect_same_outcome(lanes[i].call, lanes[i].alone);
}

KERNEL_CASE(call_after_a_thread_has_ended, .clauses = {KER_41}, .needs = NEEDS_A_RUN, .patience = 5,
            .title = "a valid call succeeds in new threads after a calling thread has ended")
{
  Team first, second;
  note("in a thread that calls %s and ends", kernel->name);
  run_team(iut, &first, kernel, 1, 1);
  if (first.calls[0]->returned != 0) case_not_applicable("the right call is refused");
  note("in 8 threads, after one that called %s has ended", kernel->name);
  run_team(iut, &second, kernel, THREADS, 1);
  for (unsigned i = 0; i < THREADS; ++i) expect_same_outcome(second.calls[i], first.calls[0]);
}

// --- Errors --------------------------------------------------------------------------------------

// A call without the last argument, or with a device for it where that one ends the process.
static KernelCall *new_refused_call(Iut *iut, const Kernel *kernel)
{
  KernelCall *shorter = new_prepared_call(iut, kernel), *other = new_prepared_call(iut, kernel);
  shorter->num_args = --shorter->value_count;
  shorter->args = fenced_args(shorter->values, (size_t)shorter->value_count);
  if (end_of_call(shorter) == CALL_RETURNS) return shorter;
  TVMFFIAny *last = &other->values[other->value_count - 1];
  *last = any_none();
  last->type_index = kTVMFFIDevice;
  other->args = fenced_args(other->values, (size_t)other->value_count);
  if (end_of_call(other) != CALL_RETURNS) case_not_applicable("no wrong call of it is refused");
  return other;
}

static void *refuse(void *context)
{
  call_here(context);
  return NULL;
}

KERNEL_CASE(error_of_another_thread, .clauses = {KER_42}, .needs = NEEDS_A_RUN,
            .title = "a call refused in one thread raises no error in another")
{
  pthread_t thread;
  KernelCall *right = require_right_call(iut, kernel);
  if (kernel->parameter_count == 0) case_not_applicable("the function takes no arguments");
  KernelCall *refused = new_refused_call(iut, kernel);
  kernel_program_note(refused);
  if (pthread_create(&thread, NULL, refuse, refused) != 0)
    case_inconclusive("no thread can be started");
  pthread_join(thread, NULL);
  if (refused->returned == 0) case_not_applicable("no wrong call of it is refused");
  note("after %s was refused in another thread", kernel->name);
  expect_no_error(iut);
  KernelCall *call = new_right_call(iut, kernel);
  note_call(call, "after a refused call in another thread: ");
  make_call(call);
  expect_same_outcome(call, right);
  expect_that(call->error == NULL, "no error raised", "%s", call->error_text);
}

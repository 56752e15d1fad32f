// SPDX-License-Identifier: Apache-2.0
// What a function asks of a device, by the account of the stand-in for it: which stream it uses,
// what it does when the device refuses, and what it gives back. Nothing is computed there, so
// outputs are not looked at.
#include <stdio.h>

#include "kernel/kernel_battery.h"
#include "kernel/kernel_cuda.h"

CHAPTER(kernel);

enum {
  NEEDS_AN_ACCOUNT = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN | KERNEL_NEEDS_ACCOUNT,
  STREAMS_MAX = 64,
};

static bool is_work(const CudaWork *work)
{
  return work->kind == CUDA_LAUNCH || work->kind == CUDA_COPY || work->kind == CUDA_SET;
}

// --- The stream ----------------------------------------------------------------------------------

// Streams and events that come behind what was on the caller's stream before the call.
typedef struct Order {
  const void *streams[STREAMS_MAX], *events[STREAMS_MAX];
  unsigned stream_count, event_count;
  bool all;               // the host has waited for the caller's stream
  const CudaWork *after;  // work on another stream, for which the caller's does not wait yet
} Order;

static bool holds(const void *const *list, unsigned count, const void *wanted)
{
  for (unsigned i = 0; i < count; ++i)
    if (list[i] == wanted) return true;
  return false;
}

static bool comes_behind(const Order *order, const void *stream)
{
  return order->all || holds(order->streams, order->stream_count, stream);
}

static void put_in_order(Order *order, const CudaWork *work)
{
  const void *caller = kernel_cuda_stream();
  switch (work->kind) {
    case CUDA_RECORD:
      if (comes_behind(order, work->stream) && order->event_count < STREAMS_MAX)
        order->events[order->event_count++] = work->event;
      break;
    case CUDA_WAIT:
      if (holds(order->events, order->event_count, work->event) &&
          order->stream_count < STREAMS_MAX)
        order->streams[order->stream_count++] = work->stream;
      if (work->stream == caller) order->after = NULL;
      break;
    case CUDA_SYNCHRONIZE:
      // For the caller's stream, for one that comes behind it, for an event, or for the device.
      if (!work->stream || comes_behind(order, work->stream)) order->all = true;
      order->after = NULL;
      break;
    default:
      break;
  }
}

static bool is_in_tensor(const KernelCall *call, uint64_t address)
{
  for (unsigned i = 0; i < call->kernel->parameter_count; ++i) {
    const KernelTensor *tensor = &call->tensors[i];
    if (tensor->on_device && address >= tensor->on_device &&
        address - tensor->on_device < tensor->memory_size)
      return true;
  }
  return false;
}

// Copying to memory of the function's own, such as a table, may be done at any time.
static bool concerns_tensors(const KernelCall *call, const CudaWork *work)
{
  return work->kind == CUDA_LAUNCH || is_in_tensor(call, work->to) ||
         is_in_tensor(call, work->from);
}

static const char *describe(const CudaWork *work, char text[CUDA_NAME_MAX + 40])
{
  enum { TEXT_MAX = CUDA_NAME_MAX + 40 };
  static const char *const names[] = {[CUDA_COPY] = "a copy", [CUDA_SET] = "a set"};
  if (work->kind == CUDA_LAUNCH)
    snprintf(text, TEXT_MAX, "kernel %s", work->name);
  else
    snprintf(text, TEXT_MAX, "%s of %zu bytes", names[work->kind], work->size);
  return text;
}

static const char *stream_name(const void *stream)
{
  return (uintptr_t)stream <= 1 ? "the default stream" : "another stream";
}

KERNEL_CASE(launch_is_ordered_by_the_stream, .clauses = {KER_44}, .needs = NEEDS_AN_ACCOUNT,
            .title = "kernels, copies and sets are on the caller's stream, or ordered with it")
{
  char text[CUDA_NAME_MAX + 40];
  unsigned seen = 0;
  KernelCall *call = require_right_call(iut, kernel);
  Order order = {.streams = {kernel_cuda_stream()}, .stream_count = 1};
  if (call->work_count == CUDA_WORK_MAX) case_not_applicable("it asks too much of the device");
  for (unsigned i = 0; i < call->work_count; ++i) {
    const CudaWork *work = &call->work[i];
    put_in_order(&order, work);
    if (!is_work(work) || work->error || !concerns_tensors(call, work)) continue;
    ++seen;
    expect_that(comes_behind(&order, work->stream),
                "work on the stream that TVMFFIEnvGetStream gives, or behind it", "%s on %s",
                describe(work, text), stream_name(work->stream));
    if (work->stream != kernel_cuda_stream() && !work->waits) order.after = work;
  }
  if (seen == 0) case_not_applicable("it launches, copies and sets nothing");
  expect_that(!order.after, "the caller's stream waits for work on others", "%s on %s",
              order.after ? describe(order.after, text) : "",
              order.after ? stream_name(order.after->stream) : "");
}

// --- Errors of the device ------------------------------------------------------------------------

typedef struct Refusal {
  const char *name;
  CudaKind kind;
  const char *what;
} Refusal;

static const Refusal refusals[] = {
    {"launch", CUDA_LAUNCH, "launch"},
    {"copy", CUDA_COPY, "copy"},
    {"set", CUDA_SET, "memset"},
    {"allocation", CUDA_ALLOCATION, "allocation"},
    {"stream", CUDA_STREAM, "new stream"},
    {"event", CUDA_EVENT, "new event"},
    {"module", CUDA_MODULE, "loaded module"},
};

// The call, with each request of the kind refused from the n-th on.
static KernelCall *call_refusing(Iut *iut, const Kernel *kernel, const Refusal *refusal, unsigned n)
{
  CudaAccount *account = kernel_cuda_account();
  KernelCall *call = new_right_call(iut, kernel);
  note_call(call, "with each %s refused by the device, from number %u on: ", refusal->what, n);
  if (account) atomic_store(&account->refuse[refusal->kind], n);
  make_call(call);
  if (account) atomic_store(&account->refuse[refusal->kind], 0);
  return call;
}

static unsigned count_done(const KernelCall *call)
{
  unsigned count = 0;
  for (unsigned i = 0; i < call->work_count; ++i)
    count += is_work(&call->work[i]) && !call->work[i].error;
  return count;
}

// How much a right call does is known from one that is made afterwards. A call that does the rest
// of it, or hands over memory that it did not get, and nothing else, has not found another way.
static void judge_refusal(KernelCall *call, const KernelCall *right, const Refusal *refusal)
{
  unsigned refused = kernel_work_count(call, refusal->kind, true);
  KernelWorkPart part = kernel_work_part(call, right);
  if (call->returned == 0 && part != KERNEL_WORK_LESS && part != KERNEL_WORK_WITHOUT)
    case_not_applicable("it does its work without it, or in another way");
  expect_that(call->returned != 0, "the function returns non-zero", "0, with %u refused", refused);
  if (call->returned != 0) expect_that(call->error != NULL, "an error is raised", "none");
}

KERNEL_CASE_ROWS(device_error_is_passed_on, refusals, .clauses = {KER_51},
                 .needs = NEEDS_AN_ACCOUNT,
                 .title = "a call of which the device refuses a part fails")
{
  enum { TRIED_MAX = 8 };
  KernelCall *calls[TRIED_MAX];
  unsigned tried = 0;
  // The first call of the process: it may load and allocate what later ones have.
  for (; tried < TRIED_MAX; ++tried) {
    calls[tried] = call_refusing(iut, kernel, row, tried + 1);
    if (kernel_work_count(calls[tried], row->kind, true) == 0) break;
  }
  KernelCall *right = require_right_call(iut, kernel);
  if (tried == 0) case_not_applicable("it asks the device for nothing of that kind");
  for (unsigned i = 0; i < tried; ++i) {
    note_call(calls[i], "with each %s refused by the device, from number %u on: ", row->what,
              i + 1);
    judge_refusal(calls[i], right, row);
  }
}

// --- What is given back --------------------------------------------------------------------------

enum { WARM_UP = 4, REPEATED = 8 };

typedef struct Held {
  unsigned pieces, streams, events, modules;
} Held;

static Held count_held(void)
{
  const CudaAccount *account = kernel_cuda_account();
  return (Held){atomic_load(&account->live[CUDA_ALLOCATION]),
                atomic_load(&account->live[CUDA_STREAM]), atomic_load(&account->live[CUDA_EVENT]),
                atomic_load(&account->live[CUDA_MODULE])};
}

static void repeat(KernelCall *call, unsigned times)
{
  for (unsigned i = 0; i < times; ++i) {
    make_call(call);
    drop_outcome(call);
  }
}

// One more of a thing after each call is kept by it; fewer may be a store that grows in steps.
static bool is_kept(unsigned before, unsigned after)
{
  return after >= before + REPEATED;
}

KERNEL_CASE(call_gives_device_memory_back, .clauses = {KER_45}, .needs = NEEDS_AN_ACCOUNT,
            .title = "memory of the device that a valid call allocates is given back")
{
  KernelCall *call = require_right_call(iut, kernel);
  drop_outcome(call);
  repeat(call, WARM_UP);
  Held before = count_held();
  repeat(call, REPEATED);
  Held after = count_held();
  require(expect_served(call));
  expect_no_leak(!is_kept(before.pieces, after.pieces),
                 "as many pieces of device memory after 8 calls as before",
                 "%u before and %u after", before.pieces, after.pieces);
}

KERNEL_CASE(call_gives_streams_and_events_back, .clauses = {KER_49}, .needs = NEEDS_AN_ACCOUNT,
            .title = "streams, events and modules that a valid call makes are given back")
{
  KernelCall *call = require_right_call(iut, kernel);
  drop_outcome(call);
  repeat(call, WARM_UP);
  Held before = count_held();
  repeat(call, REPEATED);
  Held after = count_held();
  require(expect_served(call));
  expect_no_leak(!is_kept(before.streams, after.streams), "as many streams after 8 calls as before",
                 "%u before and %u after", before.streams, after.streams);
  expect_no_leak(!is_kept(before.events, after.events), "as many events after 8 calls as before",
                 "%u before and %u after", before.events, after.events);
  expect_no_leak(!is_kept(before.modules, after.modules), "as many modules after 8 calls as before",
                 "%u before and %u after", before.modules, after.modules);
}

KERNEL_CASE(failed_call_gives_device_memory_back, .clauses = {KER_48}, .needs = NEEDS_AN_ACCOUNT,
            .title = "memory of the device is given back by a call whose launch is refused")
{
  KernelCall *call = require_right_call(iut, kernel);
  drop_outcome(call);
  if (call->launched == 0) case_not_applicable("it launches nothing");
  CudaAccount *account = kernel_cuda_account();
  note_call(call, "with each launch refused by the device: ");
  atomic_store(&account->refuse[CUDA_LAUNCH], 1);
  repeat(call, WARM_UP);
  Held before = count_held();
  repeat(call, REPEATED);
  Held after = count_held();
  atomic_store(&account->refuse[CUDA_LAUNCH], 0);
  if (call->returned == 0) case_not_applicable("the call is served all the same");
  expect_no_leak(!is_kept(before.pieces, after.pieces),
                 "as many pieces of device memory after 8 calls as before",
                 "%u before and %u after", before.pieces, after.pieces);
}

// --- Refusals ------------------------------------------------------------------------------------

static bool any_refused(const KernelCall *call)
{
  for (unsigned i = 0; i < call->work_count; ++i)
    if (call->work[i].error) return true;
  return false;
}

typedef struct WrongTensor {
  const char *name;
  TensorForm form;
  const char *what;
} WrongTensor;

static const WrongTensor wrong_tensors[] = {
    {"on-the-host", {.has_device = true, .device = {kDLCPU, 0}}, "a tensor on the CPU"},
    {"of-another-device", {.has_device = true, .device = {kDLCUDA, 1}}, "a tensor on cuda:1"},
    {"of-another-type", {.has_dtype = true, .dtype = {kDLComplex, 64, 1}}, "complex elements"},
};

KERNEL_CASE_ROWS(refused_call_does_no_work, wrong_tensors, .clauses = {KER_50}, .wrong_call = true,
                 .needs = NEEDS_AN_ACCOUNT | KERNEL_NEEDS_TENSOR,
                 .title = "a call that is refused has launched, copied and set nothing")
{
  unsigned refused = 0;
  KernelCall *right = require_right_call(iut, kernel);
  if (count_done(right) == 0) case_not_applicable("it launches, copies and sets nothing");
  for (unsigned i = 0; i < kernel->parameter_count; ++i) {
    char name[64], text[CUDA_NAME_MAX + 40] = "";
    if (!right->tensors[i].on_device) continue;
    KernelCall *call = new_right_call(iut, kernel);
    call_with_tensor(call, i, &row->form);
    note_call(call, "with %s for %s: ", row->what, parameter_name(kernel, i, name));
    if (end_of_call(call) != CALL_RETURNS) continue;
    make_call(call);
    // Memory that the device refuses to copy from may be what it was refused for.
    if (call->returned == 0 || any_refused(call)) continue;
    ++refused;
    unsigned done = count_done(call), first = 0;
    while (done && (!is_work(&call->work[first]) || call->work[first].error)) ++first;
    expect_that(done == 0, "no launch, copy or set on the device", "%u, the first %s", done,
                done ? describe(&call->work[first], text) : "");
  }
  if (refused == 0) case_not_applicable("no such call of it is refused");
}

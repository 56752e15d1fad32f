// SPDX-License-Identifier: Apache-2.0
// Streams, signals and allocators.
#include "layer/environment.h"

#include "layer/hooks.h"
#include "layer/shadow.h"
#include "layer/threads.h"

// --- Streams -------------------------------------------------------------------------------------

static void check_device(const LayerSite *at, int32_t type, int32_t id)
{
  const LayerParties who = {at->caller, 0, at->function, at->runtime};
  if (type < 0 || id < 0) LAYER_REPORT(CHECK_DEVICE, &who, NULL, type, id);
}

int ffi_call_environment_EnvSetStream(const LayerSite *at, int32_t device_type, int32_t device_id,
                                      TVMFFIStreamHandle stream,
                                      TVMFFIStreamHandle *opt_out_original_stream)
{
  const AbiApi *real = &at->runtime->real;
  check_device(at, device_type, device_id);
  RingThread *thread = threads_enter();
  if (thread && atomic_load_explicit(&thread->depth, memory_order_relaxed) > 0 &&
      !thread->call.stream.runtime && real->EnvGetStream && device_type >= 0 && device_id >= 0) {
    thread->call.stream.runtime = at->runtime;
    thread->call.stream.device_type = device_type;
    thread->call.stream.device_id = device_id;
    thread->call.stream.before = real->EnvGetStream(device_type, device_id);
    thread->call.seen |= RING_STREAM;
  }
  threads_leave(thread);
  return real->EnvSetStream(device_type, device_id, stream, opt_out_original_stream);
}

TVMFFIStreamHandle ffi_call_environment_EnvGetStream(const LayerSite *at, int32_t device_type,
                                                     int32_t device_id)
{
  check_device(at, device_type, device_id);
  RingThread *thread = threads_enter();
  if (thread) thread->call.seen |= RING_STREAM;
  threads_leave(thread);
  return at->runtime->real.EnvGetStream(device_type, device_id);
}

void environment_check_stream(const RingStream *set, const LayerParties *who)
{
  const LayerRuntime *runtime = set->runtime;
  if (!runtime || !runtime->start) return;
  void *after = runtime->real.EnvGetStream(set->device_type, set->device_id);
  if (after != set->before)
    LAYER_REPORT(CHECK_STREAM_LEFT, who, NULL, set->device_type, set->device_id,
                 (int64_t)(uintptr_t)set->before, (int64_t)(uintptr_t)after);
}

// --- Signals -------------------------------------------------------------------------------------

int ffi_call_environment_EnvCheckSignals(const LayerSite *at)
{
  int code = at->runtime->real.EnvCheckSignals();
  RingThread *thread = code ? threads_enter() : NULL;
  if (thread) thread->call.seen |= RING_SIGNAL;
  threads_leave(thread);
  return code;
}

// --- Allocators ----------------------------------------------------------------------------------

int ffi_call_environment_EnvSetDLPackManagedTensorAllocator(
    const LayerSite *at, DLPackManagedTensorAllocator allocator, int write_to_global_context,
    DLPackManagedTensorAllocator *opt_out_original_allocator)
{
  const AbiApi *real = &at->runtime->real;
  DLPackManagedTensorAllocator before = NULL;
  if (real->EnvGetDLPackManagedTensorAllocator) before = real->EnvGetDLPackManagedTensorAllocator();
  int code = real->EnvSetDLPackManagedTensorAllocator(allocator, write_to_global_context,
                                                      opt_out_original_allocator);
  const LayerParties who = {at->caller, (uintptr_t)real->EnvSetDLPackManagedTensorAllocator,
                            at->function, at->runtime};
  if (code == 0 && opt_out_original_allocator && allocator && before != allocator &&
      *opt_out_original_allocator == allocator && site_is_since(real, 9))
    LAYER_REPORT(CHECK_ALLOCATOR_LOST, &who, NULL, 0);
  return code;
}

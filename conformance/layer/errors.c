// SPDX-License-Identifier: Apache-2.0
#include "layer/errors.h"

#include "layer/hooks.h"
#include "layer/memory.h"
#include "layer/shadow.h"
#include "layer/threads.h"

TVMFFIObject *errors_raised_in(const LayerRuntime *runtime)
{
  const AbiApi *real = &runtime->real;
  TVMFFIObjectHandle raised = NULL;
  if (!runtime->start || !real->ErrorMoveFromRaised || !real->ErrorSetRaised || !real->ObjectDecRef)
    return NULL;
  real->ErrorMoveFromRaised(&raised);
  if (!raised) return NULL;
  real->ErrorSetRaised(raised);
  real->ObjectDecRef(raised);
  return raised;
}

TVMFFIObject *errors_raised(void)
{
  unsigned count = atomic_load_explicit(&tvmffi_layer_link.runtime_count, memory_order_relaxed);
  for (unsigned i = 0; i < count && i < LAYER_RUNTIMES_MAX; ++i) {
    TVMFFIObject *raised = errors_raised_in(&tvmffi_layer_link.runtimes[i]);
    if (raised) return raised;
  }
  return NULL;
}

// --- Raising -------------------------------------------------------------------------------------

static void check_overwritten(const LayerSite *at, const LayerParties *who, const void *error)
{
  if (!layer_ring->enabled[CHECK_ERROR_OVERWRITTEN]) return;
  const TVMFFIObject *raised = errors_raised_in(at->runtime);
  if (raised && raised != error) LAYER_REPORT(CHECK_ERROR_OVERWRITTEN, who, NULL, 0);
}

// Errors of code that was compiled before 0.1.8 end before these members.
static bool has_tail(const LayerSite *at)
{
  TVMFFIVersion version = {0, 0, 0};
  if (at->runtime->real.GetVersion) at->runtime->real.GetVersion(&version);
  return version.major > 0 || version.minor > 1 || (version.minor == 1 && version.patch >= 8);
}

static bool is_object_or_null(const TVMFFIObject *object)
{
  return !object || (shadow_can_read(object) && object->type_index >= kTVMFFIStaticObjectBegin);
}

static void check_error(const LayerSite *at, const LayerParties *who, TVMFFIObject *error)
{
  if (!error) return;
  if (!shadow_can_read(error)) {
    LAYER_REPORT(CHECK_RAISED_NO_ERROR, who, "no object", 0);
    return;
  }
  if (error->type_index != kTVMFFIError) {
    LAYER_REPORT(CHECK_RAISED_NO_ERROR, who, "an object of another type", error->type_index);
    return;
  }
  const TVMFFIErrorCell *cell = (const void *)(error + 1);
  if (!has_tail(at) || !memory_is_readable(cell, sizeof *cell)) return;
  if (!is_object_or_null(cell->cause_chain))
    LAYER_REPORT(CHECK_RAISED_TAIL, who, "cause", 0);
  else if (!is_object_or_null(cell->extra_context))
    LAYER_REPORT(CHECK_RAISED_TAIL, who, "extra context", 0);
}

void ffi_call_errors_ErrorSetRaised(const LayerSite *at, TVMFFIObjectHandle error)
{
  const LayerParties who = {at->caller, 0, at->function, at->runtime};
  check_error(at, &who, error);
  if (error) check_overwritten(at, &who, error);
  at->runtime->real.ErrorSetRaised(error);
}

static void check_texts(const LayerSite *at, const void *kind, const void *message,
                        const char *message_name)
{
  const LayerParties who = {at->caller, 0, at->function, at->runtime};
  if (!kind)
    LAYER_REPORT(CHECK_RAISED_NO_TEXT, &who, "its kind", 0);
  else if (!message)
    LAYER_REPORT(CHECK_RAISED_NO_TEXT, &who, message_name, 0);
  check_overwritten(at, &who, NULL);
}

void ffi_call_errors_ErrorSetRaisedFromCStr(const LayerSite *at, const char *kind,
                                            const char *message)
{
  check_texts(at, kind, message, "its message");
  at->runtime->real.ErrorSetRaisedFromCStr(kind, message);
}

void ffi_call_errors_ErrorSetRaisedFromCStrParts(const LayerSite *at, const char *kind,
                                                 const char **message_parts, int32_t num_parts)
{
  check_texts(at, kind, num_parts > 0 ? (const void *)message_parts : at, "the array of its parts");
  at->runtime->real.ErrorSetRaisedFromCStrParts(kind, message_parts, num_parts);
}

// --- Fetching ------------------------------------------------------------------------------------

// The thread whose error nobody has fetched: its threads_pointer.
static _Atomic uintptr_t failed;

void errors_note_failure(void)
{
  atomic_store_explicit(&failed, threads_pointer(), memory_order_relaxed);
}

void ffi_call_errors_ErrorMoveFromRaised(const LayerSite *at, TVMFFIObjectHandle *result)
{
  const LayerParties who = {at->caller, 0, at->function, at->runtime};
  at->runtime->real.ErrorMoveFromRaised(result);
  uintptr_t thread = atomic_load_explicit(&failed, memory_order_relaxed);
  if (!result || thread == 0) return;
  if (thread == threads_pointer())
    atomic_store_explicit(&failed, 0, memory_order_relaxed);
  else if (!*result)
    LAYER_REPORT(CHECK_ERROR_ELSEWHERE, &who, NULL, 0);
}

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

static size_t append(char *text, size_t length, size_t size, const TVMFFIByteArray *from)
{
  if (!memory_is_readable(from->data, from->size)) return length;
  for (size_t i = 0; i < from->size && length + 1 < size; ++i) {
    char byte = from->data[i];
    text[length++] = byte >= ' ' && byte < 0x7f ? byte : '?';
  }
  return length;
}

// "ValueError: too long", as far as there is room, or "" of what can't be read.
static void name_error(const TVMFFIObject *error, char *text, size_t size)
{
  const TVMFFIErrorCell *cell = (const void *)(error + 1);
  const TVMFFIByteArray colon = {": ", 2};
  size_t length = 0;
  if (error->type_index == kTVMFFIError && memory_is_readable(cell, 2 * sizeof cell->kind)) {
    length = append(text, 0, size, &cell->kind);
    length = append(text, length, size, &colon);
    length = append(text, length, size, &cell->message);
  }
  text[length] = '\0';
}

// Who left the first error can't be told from where the second is raised; what it was helps.
static void check_overwritten(const LayerSite *at, const LayerParties *who, const void *error)
{
  char left[RING_TEXT_MAX];
  if (!layer_ring->enabled[CHECK_ERROR_OVERWRITTEN]) return;
  const TVMFFIObject *raised = errors_raised_in(at->runtime);
  if (!raised || raised == error) return;
  name_error(raised, left, sizeof left);
  LAYER_REPORT(CHECK_ERROR_OVERWRITTEN, who, left, 0);
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
  // Errors of code that was compiled before 0.1.8 end before these members.
  if (!site_is_since(&at->runtime->real, 8) || !memory_is_readable(cell, sizeof *cell)) return;
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

// --- Keeping -------------------------------------------------------------------------------------

// Where errors were fetched, and how many of these died or were fetched again. What has no room is not counted.
enum { SITES = 255, MANY = 16 };
static struct {
  _Atomic uintptr_t caller;
  atomic_uint fetched, gone;
} sites[SITES];

static uint8_t site_of(uintptr_t caller)
{
  for (unsigned i = 0; i < SITES; ++i) {
    uintptr_t there = 0;
    if (atomic_compare_exchange_strong(&sites[i].caller, &there, caller) || there == caller)
      return (uint8_t)(i + 1);
  }
  return 0;
}

void errors_note_gone(uint8_t site)
{
  if (site) atomic_fetch_add(&sites[site - 1].gone, 1);
}

static void note_fetched(TVMFFIObject *error, const LayerParties *who)
{
  uint8_t site = site_of(who->caller), before;
  if (!site || !shadow_can_read(error)) return;
  shadow_see(error, who, NULL);
  if (!shadow_set_fetched(error, site, &before)) return;
  errors_note_gone(before);
  atomic_fetch_add(&sites[site - 1].fetched, 1);
}

// One error may be kept on purpose, and some of many; all of many are forgotten.
void errors_note_exit(void)
{
  for (unsigned i = 0; i < SITES; ++i) {
    unsigned fetched = atomic_load(&sites[i].fetched);
    const LayerParties who = {atomic_load(&sites[i].caller), 0, FN_ErrorMoveFromRaised, NULL};
    if (fetched >= MANY && atomic_load(&sites[i].gone) == 0)
      LAYER_REPORT(CHECK_ERROR_KEPT, &who, NULL, fetched);
  }
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
  if (result && *result) note_fetched(*result, &who);
  uintptr_t thread = atomic_load_explicit(&failed, memory_order_relaxed);
  if (!result || thread == 0) return;
  if (thread == threads_pointer())
    atomic_store_explicit(&failed, 0, memory_order_relaxed);
  else if (!*result)
    LAYER_REPORT(CHECK_ERROR_ELSEWHERE, &who, NULL, 0);
}

// SPDX-License-Identifier: Apache-2.0
// Who calls what: the first argument of every hook of the layer.
#ifndef TVMFFI_CONFORMANCE_LAYER_SITE_H_
#define TVMFFI_CONFORMANCE_LAYER_SITE_H_

#include "layer/layer.h"
#include "layer/link.h"

typedef struct LayerSite {
  LayerRuntime *runtime;
  uintptr_t caller;  // return address
  AbiFunctionId function;
} LayerSite;

static inline bool site_is_in(const LayerRuntime *runtime, uintptr_t address)
{
  uintptr_t start = atomic_load_explicit(&runtime->start, memory_order_relaxed);
  uintptr_t end = atomic_load_explicit(&runtime->end, memory_order_relaxed);
  return address - start < end - start;
}

// Whether a runtime is of the release 0.1.`patch` or a later one.
static inline bool site_is_since(const AbiApi *real, uint32_t patch)
{
  TVMFFIVersion version = {0, 0, 0};
  if (real->GetVersion) real->GetVersion(&version);
  return version.major > 0 || version.minor > 1 || (version.minor == 1 && version.patch >= patch);
}

// False if nothing is to be checked: a runtime that calls its own functions does not cross the ABI,
// and before the layer runs nothing can be recorded.
static inline bool site_crosses(const LayerRuntime *runtime, uintptr_t caller)
{
  return !site_is_in(runtime, caller) && layer_is_running();
}

// A call of a function that a module exports, from `caller`.
int ffi_call_entry(unsigned entry, uintptr_t caller, void *self, const TVMFFIAny *args,
                   int32_t num_args, TVMFFIAny *result);

// In the place of the getters and setters of fields, while the layer records.
typedef struct LayerField {
  TVMFFIFieldGetter get;
  TVMFFIFieldSetter set;
} LayerField;
extern const LayerField layer_fields[LAYER_FIELDS_MAX];

int ffi_call_get(unsigned field, uintptr_t caller, void *address, TVMFFIAny *result);
int ffi_call_set(unsigned field, uintptr_t caller, void *address, const TVMFFIAny *value);

#endif  // TVMFFI_CONFORMANCE_LAYER_SITE_H_

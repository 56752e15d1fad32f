// SPDX-License-Identifier: Apache-2.0
// What the audit library and the layer share: a block of data in the layer that the audit library
// fills in, found by its name. The audit library runs before the layer is relocated, so it calls
// nothing of the layer before `on_open` is set; it finds the layer's functions by name, too.
#ifndef TVMFFI_CONFORMANCE_LAYER_LINK_H_
#define TVMFFI_CONFORMANCE_LAYER_LINK_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "abi/abi.h"

enum {
  LAYER_RUNTIMES_MAX = 4,    // in one process
  LAYER_ENTRIES_MAX = 2048,  // functions that modules export, in one process
  LAYER_FIELDS_MAX = 512,    // fields of a runtime's types that are recorded, in one process
  LAYER_EARLY_MAX = 512,     // libraries that are loaded before the layer runs
};

// The layer's function in the place of TVMFFIObjectIncRef of the runtime 0 is
// ffi_call_layer_0_ObjectIncRef; the one in the place of the module function 7 is ffi_call_entry_7.
// The official runtimes leave functions whose name begins with ffi_call_ out of backtraces, so that
// errors look as they do without the layer: whatever is on the stack during a call is called so.
#define LAYER_FUNCTION_PREFIX "ffi_call_layer_"
#define LAYER_ENTRY_PREFIX "ffi_call_entry_"
#define LAYER_LINK_SYMBOL "tvmffi_layer_link"

// A library in memory. `base` is to be added to the addresses in its file.
typedef struct LayerImage {
  uintptr_t base, start, end;
  const char *path;  // the loader's; "" for the program itself
} LayerImage;

// When it is closed, `start` and `end` become 0, nothing of it is called any more, and another may
// have its place.
typedef struct LayerRuntime {
  AbiApi real;
  _Atomic uintptr_t start, end;
} LayerRuntime;

typedef struct LayerEntry {
  TVMFFISafeCallType _Atomic real;  // NULL: its library was closed, and another may have its place
} LayerEntry;

typedef struct LayerLink {
  LayerRuntime runtimes[LAYER_RUNTIMES_MAX];
  atomic_uint runtime_count;
  LayerEntry entries[LAYER_ENTRIES_MAX];
  atomic_uint entry_count;
  atomic_uint lost_runtimes, lost_entries;  // for which there was no room
  atomic_uint unwritable;                   // libraries whose symbols could not be redirected
  // Libraries that LD_AUDIT told of; none: it is not there.
  LayerImage early[LAYER_EARLY_MAX];
  atomic_uint early_count;
  atomic_bool by_preload;  // redirection is by preloaded symbols
  // Set when the layer runs; libraries that come later are told here, `early` has the others.
  void (*_Atomic on_open)(const LayerImage *image);
  void (*_Atomic on_close)(uintptr_t base, int namespace_id);
  // Before a library may be closed, where that is told only afterwards.
  void (*_Atomic before_close)(void);
} LayerLink;

extern LayerLink tvmffi_layer_link;

_Static_assert(sizeof(AbiApi) == ABI_FUNCTION_COUNT * sizeof(void *),
               "AbiApi is one pointer a function");

#endif  // TVMFFI_CONFORMANCE_LAYER_LINK_H_

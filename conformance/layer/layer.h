// SPDX-License-Identifier: Apache-2.0
// The validation layer: a library that is preloaded into the traced program. Its functions stand in
// the place of those of the C API and of modules, and in the cells of function objects; it checks
// what passes and hands every call on. It takes no lock, allocates nothing with malloc, uses no
// thread-local storage, and prints nothing: what it finds goes into the ring.
#ifndef TVMFFI_CONFORMANCE_LAYER_LAYER_H_
#define TVMFFI_CONFORMANCE_LAYER_LAYER_H_

#include <stdbool.h>

#include "layer/checks.h"
#include "layer/ring.h"

#define LIKELY(condition) __builtin_expect(!!(condition), 1)

// The two sides of a call.
typedef struct LayerParties {
  uintptr_t caller;                    // return address
  uintptr_t callee;                    // the function, as its author wrote it where that is known
  AbiFunctionId function;              // ABI_FUNCTION_COUNT: not one of the C API
  const struct LayerRuntime *runtime;  // that was called, NULL if it is not known
} LayerParties;

// What is seen while the layer runs; valid after layer_enter returned true.
extern Ring *layer_ring;
extern RingProcess *layer_process;

// Starts the layer at the first call. False if there is nothing to record in; else the call of the
// function is counted.
bool layer_enter(AbiFunctionId function);

// The same, for a call of a function object or of a module's function.
bool layer_enter_call(bool by_symbol);

// Whether there is code of a runtime at the address.
bool layer_is_in_runtime(uintptr_t address);

// Records a finding, and ends the process if it was asked to. Numbers and text (may be NULL) are
// those of checks.def.
void layer_report(CheckId check, const LayerParties *who, const int64_t numbers[RING_NUMBERS],
                  const char *text);

// For a test runner in the process, which finds them by their names. How often errors were found so
// far; and the finding with this index: the name of its check, "" if there is none or it is advice,
// NULL behind the last.
uint64_t tvmffi_layer_errors(void);
const char *tvmffi_layer_finding(uint64_t index, uint64_t *count, uint64_t *caller,
                                 uint64_t *callee);

#define LAYER_REPORT(check, who, text, ...) \
  layer_report(check, who, (const int64_t[RING_NUMBERS]){__VA_ARGS__}, text)

#endif  // TVMFFI_CONFORMANCE_LAYER_LAYER_H_

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

// For ThreadSanitizer, which does not see the counter of an object in a runtime that is built without it:
// what a thread did with an object before it released it came before its end.
#if defined __SANITIZE_THREAD__
void __tsan_acquire(void *object);
void __tsan_release(void *object);
#define LAYER_TAKE_OVER(object) __tsan_acquire(object)
#define LAYER_HAND_OVER(object) __tsan_release(object)
#else
#define LAYER_TAKE_OVER(object) ((void)0)
#define LAYER_HAND_OVER(object) ((void)0)
#endif

// The two sides of a call.
typedef struct LayerParties {
  uintptr_t caller;                    // return address
  uintptr_t callee;                    // the function, as its author wrote it where that is known
  AbiFunctionId function;              // ABI_FUNCTION_COUNT: not one of the C API
  const struct LayerRuntime *runtime;  // that was called, NULL if it is not known
} LayerParties;

// What is seen while the layer runs; valid after layer_is_running returned true.
extern Ring *layer_ring;
extern RingProcess *layer_process;

typedef enum LayerState { LAYER_NEW, LAYER_STARTING, LAYER_RUNNING, LAYER_OFF } LayerState;
extern atomic_int layer_state;

bool layer_start_first(int state);

// Starts the layer at the first call. False if there is nothing to record in.
static inline bool layer_is_running(void)
{
  int now = atomic_load_explicit(&layer_state, memory_order_acquire);
  return LIKELY(now == LAYER_RUNNING) || layer_start_first(now);
}

// Counts a call of a function of the C API, while the layer runs.
void layer_count(AbiFunctionId function);

// The same, for a call of a function object or of a module's function. False if the layer does not run.
bool layer_enter_call(bool by_symbol);

// Whether there is code of a runtime at the address.
bool layer_is_in_runtime(uintptr_t address);

// Records a finding, and ends the process if it was asked to. Numbers and text (may be NULL) are
// those of checks.def.
__attribute__((cold)) void layer_report(CheckId check, const LayerParties *who,
                                        const int64_t numbers[RING_NUMBERS], const char *text);

// For a test runner in the process, which finds them by their names. How often errors were found so
// far, in this process, in copies of it, and in programs that these started; and the finding with this
// index: the name of its check, "" if there is none or it is advice, NULL behind the last. Addresses
// of another program, whose process `elsewhere` gives, are not those of this one.
uint64_t tvmffi_layer_errors(void);
const char *tvmffi_layer_finding(uint64_t index, uint64_t *count, uint64_t *caller,
                                 uint64_t *callee, uint64_t *elsewhere);

#define LAYER_REPORT(check, who, text, ...) \
  layer_report(check, who, (const int64_t[RING_NUMBERS]){__VA_ARGS__}, text)

#endif  // TVMFFI_CONFORMANCE_LAYER_LAYER_H_

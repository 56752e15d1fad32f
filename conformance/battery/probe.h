// SPDX-License-Identifier: Apache-2.0
// Probes: objects with a deleter of the suite, closures that log their calls, threads, and a gauge
// of the heap.
#ifndef TVMFFI_CONFORMANCE_BATTERY_PROBE_H_
#define TVMFFI_CONFORMANCE_BATTERY_PROBE_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "battery/iut.h"

// --- Probe objects -------------------------------------------------------------------------------

// A type index that no library allocates.
enum { PROBE_TYPE_INDEX = 0x00ABCDE0 };

// A new object made by the suite, not by the library: strong 1, weak 1, PROBE_TYPE_INDEX, a deleter
// that logs its calls and frees nothing, so that reading it after its end is safe. 64 bytes of 0x5A
// follow the header.
TVMFFIObjectHandle new_probe_object(const Iut *iut);
// The same with this type index.
TVMFFIObjectHandle new_probe_object_of(const Iut *iut, int32_t type_index);
// Writes the four fields of an error as the ABI overview has it, which ends there.
void fill_error_cell(void *cell);
// The same without a deleter.
TVMFFIObjectHandle new_probe_object_without_deleter(const Iut *iut);

// The deleter of a probe was called with exactly these flags, in this order: "", "3", "1 2". The
// body is unchanged.
// bool expect_deleter_calls(TVMFFIObjectHandle probe, const char *flags)
#define expect_deleter_calls(...) expect_deleter_calls_(EXPECT_HERE_, __VA_ARGS__)
bool expect_deleter_calls_(const char *at, TVMFFIObjectHandle probe, const char *flags);
// How often the deleter was called in all.
unsigned probe_deleter_calls(TVMFFIObjectHandle object);
// The counts at the first call of the deleter.
void probe_counts_in_deleter(TVMFFIObjectHandle object, uint64_t *strong, uint64_t *weak);

// --- Logged callbacks ----------------------------------------------------------------------------

// The arguments of the last call of a logged callee, and what it returns.
typedef struct CallLog {
  atomic_uint calls;
  void *handle;
  const TVMFFIAny *args;
  int32_t num_args;
  TVMFFIAny *result;
  TVMFFIAny result_before;  // bytes of *result when it was called
  TVMFFIAny give;           // written to *result if `gives`
  bool gives;
  int returns;          // the return code
  atomic_uint deleted;  // calls of call_log_delete with it
} CallLog;

// A safe-call that records its arguments in the CallLog that is its `handle`.
int call_log_callee(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result);
// A safe-call for functions without `self`; it logs into this one.
extern CallLog call_log_without_self;
int call_log_callee_without_self(void *handle, const TVMFFIAny *args, int32_t num_args,
                                 TVMFFIAny *result);
// A deleter for `self`: counts.
void call_log_delete(void *self);

// --- Threads -------------------------------------------------------------------------------------

// Runs `body(iut, index, context)` in `count` threads (at most 64) that start together, and waits
// for all.
void run_in_threads(Iut *iut, unsigned count, void (*body)(Iut *iut, unsigned index, void *context),
                    void *context);

// --- Heap ----------------------------------------------------------------------------------------

// Bytes that are allocated now, by anybody in this process; SIZE_MAX if unknown.
size_t heap_in_use(void);

// `operation(iut, context)` does not leak: after a warm-up, `rounds` further runs, fewer where they take long, let the heap
// grow by less than 8 bytes a round, in one of three series and in all of them together: what is cached, or remains of a thread that ends
// while the next begins, does not grow in each. Ends the case as inconclusive where the heap can't be read.
// bool expect_no_heap_growth(Iut *iut, unsigned rounds, void (*operation)(Iut *, void *),
//                            void *context)
#define expect_no_heap_growth(...) expect_no_heap_growth_(EXPECT_HERE_, __VA_ARGS__)
bool expect_no_heap_growth_(const char *at, Iut *iut, unsigned rounds,
                            void (*operation)(Iut *iut, void *context), void *context);

// How many threads this process has; 0 if that can't be told.
unsigned threads_of_process(void);

#endif  // TVMFFI_CONFORMANCE_BATTERY_PROBE_H_

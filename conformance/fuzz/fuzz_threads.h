// SPDX-License-Identifier: Apache-2.0
// Threads that take turns: one runs while the others wait, so that the state of each thread can be
// checked against a model, and every run is the same.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_THREADS_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_THREADS_H_

#include <stdbool.h>

enum { FUZZ_THREADS = 3 };

typedef void FuzzThreadWork(void *context);

// Has a thread do `work`, and waits until it is done. Thread 0 is the caller; the others start when
// they are first needed.
void fuzz_threads_run(int number, FuzzThreadWork *work, void *context);

// Whether a thread has started.
bool fuzz_threads_have_begun(int number);

// Ends a thread, and waits until it and its thread-local storage are gone. Thread 0 stays.
void fuzz_threads_end(int number);

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_THREADS_H_

// SPDX-License-Identifier: Apache-2.0
// Sequences of calls, from several threads that take turns, checked against a model of ownership
// (conformance/fuzz/fuzz_sequence.c). The same model judges other runtimes, in the fuzzer of
// foreign ones.
#include "fuzz/fuzz_sequence.h"
#include "fuzz/fuzz_threads.h"
#include "fuzz_target.h"

static const FuzzSequenceApi reference = {
#define X(name) .name = TVMFFI##name,
    FUZZ_SEQUENCE_FUNCTIONS(X)
#undef X
        .is_reference = true};

// What a thread keeps is given back when it ends, and not before the search for leaks, which may
// not see what belongs to a thread that lives on.
static void end_threads(void)
{
  for (int thread = 1; thread < FUZZ_THREADS; ++thread) fuzz_threads_end(thread);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static bool prepared;
  if (!prepared) prepared = atexit(end_threads) == 0;
  FuzzSequenceBytes bytes = {data, size == 0 ? data : data + size};
  fuzz_sequence_begin(&reference);
  while (bytes.at != bytes.end) fuzz_sequence_step(&bytes);
  fuzz_sequence_end();
  if (fuzz_sequence_broken()) {
    fprintf(stderr, "broken: %s\n", fuzz_sequence_broken());
    abort();
  }
  return 0;
}

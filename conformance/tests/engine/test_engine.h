// SPDX-License-Identifier: Apache-2.0
// The parts of test_engine: one a file.
#ifndef TVMFFI_CONFORMANCE_TESTS_TEST_ENGINE_H_
#define TVMFFI_CONFORMANCE_TESTS_TEST_ENGINE_H_

#include "run/evidence.h"
#include "unit/unit.h"

// Evidence for one test, cleared under `nonce`; never freed.
Evidence *engine_evidence(uint64_t nonce);

// Runs `body` in a child that records into `evidence` and notes its crash there, as a worker's
// child does. Returns the wait status.
int engine_in_child(Evidence *evidence, void (*body)(void *context), void *context);

#endif  // TVMFFI_CONFORMANCE_TESTS_TEST_ENGINE_H_

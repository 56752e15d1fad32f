// SPDX-License-Identifier: Apache-2.0
// The checks of the validation layer as data (checks.def).
#ifndef TVMFFI_CONFORMANCE_LAYER_CHECKS_H_
#define TVMFFI_CONFORMANCE_LAYER_CHECKS_H_

#include <stdbool.h>
#include <stddef.h>

#include "spec_clauses.h"

// Who is to blame. NOBODY: it can't be told.
typedef enum CheckSide {
  SIDE_NOBODY,
  SIDE_CALLER,
  SIDE_CALLEE,
  SIDE_RUNTIME,
  SIDE_COUNT
} CheckSide;

// The cheapest preset that has a check.
typedef enum CheckPreset { PRESET_FAST, PRESET_STANDARD, PRESET_DEEP, PRESET_COUNT } CheckPreset;

typedef enum CheckId {
#define CHECK(id, ...) CHECK_##id,
#include "layer/checks.def"
  CHECK_COUNT
} CheckId;

typedef struct Check {
  const char *name;   // "argument-padding"
  const char *group;  // "values"
  ClauseId clause;
  CheckSide side;
  CheckPreset preset;
  bool advice;       // a finding does not fail
  const char *text;  // what was seen; checks.def has the form
} Check;

extern const Check checks[CHECK_COUNT];

#endif  // TVMFFI_CONFORMANCE_LAYER_CHECKS_H_

// SPDX-License-Identifier: Apache-2.0
// The line below a clause's heading: `MUST · since 0.1.0 [until 0.1.9] · runtime, module · source`,
// or `UNSPECIFIED · runtime [· source]`.
#ifndef TVMFFI_SPEC_EXTRACT_ATTRIBUTE_LINE_H_
#define TVMFFI_SPEC_EXTRACT_ATTRIBUTE_LINE_H_

#include <stdbool.h>
#include <stdint.h>

#include "clause_level.h"
#include "span.h"

#define ATTRIBUTE_SEPARATOR " \xc2\xb7 "  // a middle dot, U+00B7, between spaces

typedef struct AttributeLine {
  ClauseLevel level;
  Span since, until, source;  // size 0: absent
  uint32_t since_number, until_number;
  unsigned scopes;  // CLAUSE_SCOPE_*
} AttributeLine;

// The error in the line: a message with the expected form, and the invalid part of the line.
typedef struct AttributeFault {
  const char *reason;
  Span where;
} AttributeFault;

// True: `*out` is filled, its spans point into `line`. False: `*fault` holds the error.
bool attribute_line_parse(Span line, AttributeLine *out, AttributeFault *fault);

#endif  // TVMFFI_SPEC_EXTRACT_ATTRIBUTE_LINE_H_
